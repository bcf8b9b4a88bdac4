import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apart, withoutEach } from './ordered.ts'
import type { Range } from './range.ts'

const range: fc.Arbitrary<Range> = fc
  .record({
    family: fc.constantFrom('IPv4' as const, 'IPv6' as const),
    at: fc.nat(30),
    size: fc.nat(8),
  })
  .map(({ family, at, size }) => ({ family, first: BigInt(at), last: BigInt(at + size) }))
const ranges = fc.array(range, { maxLength: 8 })

const each = (all: readonly Range[]): string[] =>
  all.flatMap(({ family, first, last }) =>
    Array.from({ length: Number(last - first) + 1 }, (_, at) => `${family} ${first + BigInt(at)}`),
  )

test('what others cover is gone, and the rest stands where it stood', () => {
  fc.assert(
    fc.property(ranges, ranges, (all, others) => {
      const taken = new Set(each(others))
      expect(each(withoutEach(all, others))).toEqual(each(all).filter((one) => !taken.has(one)))
    }),
  )
})

test('each address stays where it comes first', () => {
  fc.assert(
    fc.property(ranges, (all) => {
      expect(each(apart(all))).toEqual([...new Set(each(all))])
    }),
  )
})
