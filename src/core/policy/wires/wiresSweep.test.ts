import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overlap } from '../../net/intervals.ts'
import { byFirst } from '../../net/subtract.ts'
import { unknownWire } from './wires.ts'
import type { RangeUse, Role } from './wiresRangeUse.ts'
import { overlaps } from './wiresSweep.ts'

const apart: Partial<Record<Role, readonly Role[]>> = {
  vip: ['node', 'attachment'],
  node: ['vip'],
  attachment: ['vip', 'attachment'],
}
const partners = (role: Role) => apart[role] ?? []

const drawn = fc.record({
  family: fc.constantFrom('IPv4' as const, 'IPv6' as const),
  first: fc.nat(40),
  length: fc.nat(10),
  role: fc.constantFrom<Role>('vip', 'node', 'attachment', 'gateway'),
})

test('finds every pair that overlaps, once', () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 40 }), (given) => {
      const uses = given
        .map(({ family, first, length, role }, index): RangeUse => {
          const range = { family, first: BigInt(first), last: BigInt(first + length) }
          return { role, object: `${index}`, field: '', what: '', wires: [unknownWire], range }
        })
        .sort((one, other) => byFirst(one.range, other.range))
      const expected = uses.flatMap((one, at) =>
        uses
          .slice(at + 1)
          .filter(({ role }) => partners(one.role).includes(role))
          .filter(({ range }) => overlap(one.range, range) !== undefined)
          .map((other) => `${one.object} ${other.object}`),
      )
      const found = [...overlaps(uses, { partners, mayCompare: () => true })].map((pair) =>
        pair.map(({ object }) => object).join(' '),
      )
      expect(found.sort()).toEqual(expected.sort())
    }),
  )
})
