import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/build/newFolder.ts'
import { isArpStrict } from './arpSettings.ts'

test.each([
  { ignore: '1\n', announce: '2\n', isStrict: true },
  { ignore: '0\n', announce: '2\n', isStrict: false },
  { ignore: '1\n', announce: '0\n', isStrict: false },
])('arp_ignore $ignore, arp_announce $announce: $isStrict', async (row) => {
  const folder = newFolder()
  writeFileSync(join(folder, 'arp_ignore'), row.ignore)
  writeFileSync(join(folder, 'arp_announce'), row.announce)
  expect(await isArpStrict(folder)).toBe(row.isStrict)
})

test('not known where it cannot be read', async () => {
  expect(await isArpStrict(newFolder())).toBe(undefined)
})
