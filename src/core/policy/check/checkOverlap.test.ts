import fc from 'fast-check'
import { expect, test } from 'vitest'
import { range } from '../../../../test/build/wires.ts'
import { overlap } from '../../net/intervals.ts'
import { type ClaimedRange, clashesBetween, clashesWithin, clashText } from './checkOverlap.ts'

const claims = (owner: string, ...texts: readonly string[]): readonly ClaimedRange[] =>
  texts.map((text, index) => ({ path: `${owner}[${index}]`, owner, range: range(text) }))

test('both sides and what they have in common are named', () => {
  const clashes = clashesBetween(claims('a', '10.0.0.0/24'), claims('b', '10.0.0.200-10.0.1.9'))
  expect(clashes.map(clashText)).toEqual([
    '10.0.0.0/24 of a overlaps 10.0.0.200-10.0.1.9 of b; take 10.0.0.200-10.0.0.255 out of one ' +
      'of the two',
  ])
})

test('what the others do among themselves plays no part', () => {
  const theirs = claims('b', '10.0.0.0/8', '10.1.0.0/16', '10.1.0.0/16')
  expect(clashesBetween(claims('a', '192.0.2.0/24'), theirs)).toEqual([])
})

test('families do not meet', () => {
  expect(clashesBetween(claims('a', '0.0.0.0/0'), claims('b', '2000::/3'))).toEqual([])
  expect(clashesWithin(claims('a', '0.0.0.0/0', '2000::/3'))).toEqual([])
})

const someRange = fc
  .tuple(fc.constantFrom('IPv4' as const, 'IPv6' as const), fc.nat(60), fc.nat(9))
  .map(([family, first, more]) => ({ family, first: BigInt(first), last: BigInt(first + more) }))
const someClaims = (owner: string) =>
  fc.array(
    someRange.map((range): ClaimedRange => ({ path: owner, owner, range })),
    { maxLength: 8 },
  )
const meet = (one: ClaimedRange, other: ClaimedRange) =>
  overlap(one.range, other.range) !== undefined

test('a clash is found exactly where two ranges meet', () => {
  fc.assert(
    fc.property(someClaims('a'), someClaims('b'), (mine, theirs) => {
      const isThere = mine.some((one) => theirs.some((other) => meet(one, other)))
      const clashes = clashesBetween(mine, theirs)
      expect(clashes.length > 0).toBe(isThere)
      for (const { mine, other } of clashes) {
        expect([mine.owner, other.owner, meet(mine, other)]).toEqual(['a', 'b', true])
      }
      const isWithin = mine.some((one, at) => mine.slice(at + 1).some((next) => meet(one, next)))
      expect(clashesWithin(mine).length > 0).toBe(isWithin)
    }),
  )
})
