// Addresses that lie far apart are taken and given back. The attacker may make Services in its namespace
// that ask for addresses of an IPv6 pool. Afterwards: an address that is free again takes no memory.
// Before: each that was ever in use took some for good, a gigabyte for a million of them.
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, test } from 'vitest'
import { Members, Taken } from '../../src/core/model/bits.ts'

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')
const heapMb = (): number => {
  collect()
  // V8 gives buffers back beside the program, and has done so when it collects again.
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

test.each([
  ['taken', new Taken(2 ** 50)],
  ['free in a group', new Members(2 ** 50)],
])('[R3.1] positions of a /64 that were %s', (_, tree) => {
  const before = heapMb()
  for (let at = 0; at < 20_000; at++) {
    const position = (at * 54_321_987_653) % 2 ** 50
    tree.add(position)
    tree.delete(position)
  }
  expect(heapMb() - before).toBeLessThan(5)
  tree.add(77)
  expect(tree.has(77)).toBe(true)
  expect(tree.size).toBe(1)
})
