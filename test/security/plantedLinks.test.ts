// Links in a folder that `berth export` writes to. The attacker may push to the repository that the
// export is kept in. Afterwards: nothing outside the folder was written or removed, and the link is
// named.
// Before: files outside the folder were written and removed.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExportFolder } from '../../src/app/cli/export/exportFolder.ts'
import { newFolder } from '../build/newFolder.ts'

const web = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' } }
const marker = '.berth-export'

/** An export, and beside it what must stay. */
function planted() {
  const [folder, outside] = [newFolder(), newFolder()]
  writeFileSync(join(folder, marker), '')
  mkdirSync(join(outside, 'shop'))
  const victim = join(outside, 'shop', 'web.yaml')
  writeFileSync(victim, 'mine: true\n')
  const isUntouched = () => existsSync(victim) && readFileSync(victim, 'utf8') === 'mine: true\n'
  return { folder, outside, victim, isUntouched }
}

test('a link in place of a file', async () => {
  const { folder, victim, isUntouched } = planted()
  mkdirSync(join(folder, 'services/shop'), { recursive: true })
  symlinkSync(victim, join(folder, 'services/shop/web.yaml'))
  const files = await ExportFolder.open(folder)
  await expect(files.write('services', web)).rejects.toThrow(/web\.yaml is a link/)
  expect(isUntouched()).toBe(true)
})

test('a link in place of a folder', async () => {
  const { folder, outside, isUntouched } = planted()
  symlinkSync(outside, join(folder, 'services'))
  const files = await ExportFolder.open(folder)
  await expect(files.write('services', web)).rejects.toThrow(/services is a link/)
  await expect(files.prune('services')).rejects.toThrow(/services is a link/)
  expect(isUntouched()).toBe(true)
})

test('a link in place of the mark', async () => {
  const { victim, isUntouched } = planted()
  const folder = newFolder()
  symlinkSync(victim, join(folder, marker))
  await expect(ExportFolder.open(folder)).rejects.toThrow(/is a link/)
  expect(isUntouched()).toBe(true)
})
