import fc from 'fast-check'
import { expect, test } from 'vitest'
import { range } from '../../../test/build/wires.ts'
import { rangeText } from './intervals.ts'
import type { Range } from './range.ts'
import { merged, without } from './subtract.ts'

const cases: { of: string; others: string[]; left: string[] }[] = [
  { of: '10.0.0.1-10.0.0.9', others: [], left: ['10.0.0.1-10.0.0.9'] },
  { of: '10.0.0.1-10.0.0.9', others: ['10.0.0.0/24'], left: [] },
  {
    of: '10.0.0.1-10.0.0.9',
    others: ['10.0.0.3-10.0.0.4'],
    left: ['10.0.0.1-10.0.0.2', '10.0.0.5-10.0.0.9'],
  },
  { of: '10.0.0.1-10.0.0.9', others: ['10.0.0.9', '10.0.0.1'], left: ['10.0.0.2-10.0.0.8'] },
  { of: '10.0.0.1-10.0.0.9', others: ['fd00::/64', '10.0.1.0/24'], left: ['10.0.0.1-10.0.0.9'] },
  { of: '10.0.0.0/23', others: ['10.0.0.0/24'], left: ['10.0.1.0-10.0.1.255'] },
]
test.each(cases)('$of without $others is $left', ({ of, others, left }) => {
  expect(without([range(of)], others.map(range)).map(rangeText)).toEqual(left)
})

const small = fc
  .tuple(fc.constantFrom('IPv4' as const, 'IPv6' as const), fc.nat(30), fc.nat(30))
  .map(([family, one, other]): Range => {
    return { family, first: BigInt(Math.min(one, other)), last: BigInt(Math.max(one, other)) }
  })
const members = (ranges: readonly Range[]): string[] =>
  ranges.flatMap(({ family, first, last }) =>
    Array.from({ length: Number(last - first) + 1 }, (_, at) => `${family} ${Number(first) + at}`),
  )

test('without and merged mean the same as sets of addresses', () => {
  fc.assert(
    fc.property(fc.array(small), fc.array(small), (of, others) => {
      const taken = new Set(members(others))
      const left = without(of, others)
      expect(members(left)).toEqual(members(merged(of)).filter((ip) => !taken.has(ip)))
      const all = members(merged(others))
      expect(new Set(all)).toEqual(taken)
      expect(all.length).toBe(taken.size)
    }),
  )
})
