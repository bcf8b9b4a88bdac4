import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Members, Taken } from './bits.ts'

const position = fc.oneof(fc.nat(70), fc.nat(5_000), fc.nat(2 ** 31 - 1))
const steps = fc.array(fc.tuple(fc.boolean(), position), { maxLength: 200 })

test('the tree is the set, its lowest free and its next member', () => {
  fc.assert(
    fc.property(steps, position, (ops, from) => {
      const [taken, members, model] = [new Taken(2 ** 31), new Members(2 ** 31), new Set<number>()]
      for (const [adds, at] of ops) {
        for (const set of [taken, members, model]) adds ? set.add(at) : set.delete(at)
      }
      let free = 0
      while (model.has(free)) free++
      const next = [...model].filter((at) => at >= from).sort((a, b) => a - b)[0]
      expect(taken.lowestFree()).toBe(free)
      expect(members.next(from)).toBe(next)
      expect([taken.size, members.size]).toEqual([model.size, model.size])
    }),
  )
})

test('a full tree has no free position', () => {
  const taken = new Taken(1024)
  for (let at = 0; at < 1024; at++) taken.add(at)
  expect(taken.lowestFree()).toBeGreaterThanOrEqual(1024)
  taken.delete(77)
  expect(taken.lowestFree()).toBe(77)
})
