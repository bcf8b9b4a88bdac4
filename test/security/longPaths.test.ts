// Fields that are wrong, or in conflict, below an item with a name of a megabyte. The attacker holds a token of
// the embedded API for a namespace. Afterwards: each is named as far as a person reads.
// Before: each of a hundred was named with its whole path, in an answer of 100 MB, and for conflicts all paths were
// made before a hundred of them were taken.
import { expect, onTestFinished, test } from 'vitest'
import { conflictRefusal } from '../../src/edge/store/patch/conflicts.ts'
import { type FieldSet, owned } from '../../src/edge/store/patch/fields/fieldSet.ts'
import { ApiStand } from '../build/apiStand.ts'

const long = 'n'.repeat(1_000_000)

test('values of the wrong type in an applied object', async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const env = Array.from({ length: 150 }, (_, at) => ({ name: `e${at}`, value: [1] }))
  const body = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
    spec: { containers: [{ name: long, env }] },
  }
  const answer = await stand.ask('/api/v1/namespaces/default/pods/a?fieldManager=x', {
    ...{ method: 'PATCH', body },
    headers: { 'Content-Type': 'application/apply-patch+yaml' },
  })
  expect([answer.code, answer.text.slice(0, 200)]).toEqual([
    500,
    expect.stringMatching('typed patch'),
  ])
  expect(answer.text.length).toBeLessThan(1_000_000)
})

test('conflicts with another manager', () => {
  const fields = Array.from({ length: 20_000 }, (_, at) => [`f:${at}`, owned] as const)
  const conflict: FieldSet = {
    isOwned: false,
    under: new Map([[`f:${long}`, { isOwned: false, under: new Map(fields) }]]),
  }
  const { status } = conflictRefusal(new Map(), new Map([['other', conflict]]))
  expect(status.message).toMatch(/^Apply failed with 20000 conflicts/)
  expect(JSON.stringify(status).length).toBeLessThan(1_000_000)
})
