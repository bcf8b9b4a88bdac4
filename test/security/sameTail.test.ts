// Thousands of IPv6 addresses that end alike. The attacker may make Services in its namespace that ask for
// addresses of an IPv6 pool, and sends neighbour solicitations. Afterwards: each frame is looked up in a
// few steps, however many addresses there are.
// Before: each frame was compared with all that end alike, so that answers for others came late.
import { expect, test } from 'vitest'
import { AddressTable } from '../../src/core/session/layer2/addressTable.ts'

const count = 5_000
const octetsAt = (at: number): number[] => [
  ...[0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, at >> 8, at & 255],
  ...[0, 0, 0, 1],
]

test('[M5.5] one of thousands that end alike is found at one look', () => {
  let looks = 0
  const entries = Array.from({ length: count }, (_, at) => ({
    get octets() {
      looks += 1
      return octetsAt(at)
    },
  }))
  const table = new AddressTable<{ readonly octets: readonly number[] }>()
  for (const one of entries) table.put(one)
  expect(looks / count).toBeLessThan(10)
  looks = 0
  const last = count - 1
  expect(table.find(Uint8Array.from(octetsAt(last)), 0, 16)).toBe(entries[last])
  expect(table.find(Uint8Array.from(octetsAt(count)), 0, 16)).toBeUndefined()
  for (const one of entries) table.remove(one)
  expect(looks / count).toBeLessThan(10)
  expect(table.find(Uint8Array.from(octetsAt(last)), 0, 16)).toBeUndefined()
})

test('[M5.5] those that end alike are told apart, also from an IPv4 address', () => {
  const [one, other, four] = [octetsAt(1), octetsAt(2), [0, 0, 0, 1]].map((octets) => ({ octets }))
  if (one === undefined || other === undefined || four === undefined) throw new Error('three')
  const table = new AddressTable<typeof one>()
  for (const entry of [one, other, four]) table.put(entry)
  const found = (octets: readonly number[]) => table.find(Uint8Array.from(octets), 0, octets.length)
  expect([one, other, four].map(({ octets }) => found(octets))).toEqual([one, other, four])
  table.remove(other)
  table.remove(four)
  expect([one, other, four].map(({ octets }) => found(octets))).toEqual([one, undefined, undefined])
})
