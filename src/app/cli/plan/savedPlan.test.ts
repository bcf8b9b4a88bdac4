// Is a saved plan read back, and is it noticed what has changed since?
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../test/build/terminal.ts'
import { changesSince, readSaved, savedText } from './savedPlan.ts'

const saved = {
  apply: [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' } }],
  deletions: ['Service/shop/api'],
  plan: '{"schema":"berth.dev/plan/v1"}',
  stood: { 'Service/shop/api': 'aa' },
}

test('what is saved is read back', async () => {
  const folder = folderOf({ plan: savedText(saved) })
  expect(await readSaved(join(folder, 'plan'))).toEqual(saved)
})

test.each([['{'], ['{}'], ['[]'], ['{"schema":"berth.dev/plan/v1","apply":[]}']])(
  'a file with %s is no saved plan',
  async (text) => {
    const file = join(folderOf({ plan: text }), 'plan')
    await expect(readSaved(file)).rejects.toThrow(/is not a saved plan: write one with berth plan/)
  },
)

test('a file that is not there is told', async () => {
  await expect(readSaved('/nowhere/plan')).rejects.toThrow('/nowhere/plan: no such file or folder')
})

test('what came, went and changed since, in order of name', () => {
  const [before, now] = [
    { 'Pool/b': '1', 'Pool/c': '1', 'Pool/d': '1' },
    { 'Pool/a': '1', 'Pool/b': '2', 'Pool/d': '1' },
  ]
  expect(changesSince(before, now)).toEqual([
    'Pool/a is new',
    'Pool/b has changed',
    'Pool/c is gone',
  ])
})
