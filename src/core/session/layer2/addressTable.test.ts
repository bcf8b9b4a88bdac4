import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressTable } from './addressTable.ts'

const octets = (length: number) => fc.array(fc.nat(2), { minLength: length, maxLength: length })
const address = fc.oneof(octets(4), octets(16))
const text = (one: readonly number[]): string => one.join('.')

test('it finds its own addresses and no others, at any offset', () => {
  const steps = fc.array(fc.record({ octets: address, isPut: fc.boolean() }))
  fc.assert(
    fc.property(steps, fc.uint8Array({ maxLength: 40, max: 2 }), (all, frame) => {
      const table = new AddressTable<{ octets: readonly number[] }>()
      const held = new Set<string>()
      for (const one of all) {
        if (one.isPut) table.put(one)
        else table.remove(one)
        if (one.isPut) held.add(text(one.octets))
        else held.delete(text(one.octets))
      }
      for (const { octets } of all) {
        const found = table.find(Uint8Array.from(octets), 0, octets.length)
        expect(found !== undefined).toBe(held.has(text(octets)))
      }
      for (const length of [4, 16]) {
        const found = table.find(frame, 3, length)
        const there = frame.subarray(3, 3 + length)
        // A truncated frame holds no address, even if what is left looks like a shorter one.
        const isThere = there.length === length && held.has(text([...there]))
        expect(found !== undefined).toBe(isThere)
      }
    }),
    { examples: [[[{ octets: [0, 0, 0, 0], isPut: true }], new Uint8Array(7)]] },
  )
})
