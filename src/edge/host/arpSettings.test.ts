import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/build/newFolder.ts'
import { isArpStrict } from './arpSettings.ts'

/** By interface: arp_ignore and arp_announce. */
function folderOf(settings: Readonly<Record<string, readonly [number, number]>>): string {
  const folder = newFolder()
  for (const [name, [ignore, announce]] of Object.entries(settings)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'arp_ignore'), `${ignore}\n`)
    writeFileSync(join(folder, name, 'arp_announce'), `${announce}\n`)
  }
  return folder
}

type Pair = readonly [ignore: number, announce: number]
type Case = { all: Pair; eth0: Pair; eth1: Pair; isStrict: boolean }

test.each<Case>([
  { all: [1, 2], eth0: [0, 0], eth1: [0, 0], isStrict: true },
  { all: [0, 2], eth0: [0, 0], eth1: [0, 0], isStrict: false },
  { all: [1, 0], eth0: [0, 0], eth1: [0, 0], isStrict: false },
  { all: [0, 0], eth0: [1, 2], eth1: [2, 2], isStrict: true },
  { all: [0, 0], eth0: [1, 2], eth1: [0, 2], isStrict: false },
  { all: [1, 0], eth0: [0, 2], eth1: [0, 2], isStrict: true },
])('all $all, eth0 $eth0, eth1 $eth1: $isStrict', async ({ all, eth0, eth1, isStrict }) => {
  const folder = folderOf({ all, eth0, eth1 })
  expect(await isArpStrict(['eth0', 'eth1'], folder)).toBe(isStrict)
})

test('without interfaces, the settings of "all" apply', async () => {
  expect(await isArpStrict([], folderOf({ all: [1, 2] }))).toBe(true)
  expect(await isArpStrict([], folderOf({ all: [0, 0] }))).toBe(false)
})

test('undefined if the settings cannot be read', async () => {
  expect(await isArpStrict([], newFolder())).toBe(undefined)
  expect(await isArpStrict(['eth0'], folderOf({ all: [1, 2] }))).toBe(undefined)
})
