import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Agenda } from './agenda.ts'

type Item = { readonly name: number; dueAt: number; isUrgent: boolean; place: number }
const itemOf = (name: number): Item => ({ name, dueAt: 0, isUrgent: false, place: -1 })
const step = fc.record({
  name: fc.nat(5),
  at: fc.option(fc.nat(20), { nil: undefined }),
  isUrgent: fc.boolean(),
})

test('due items come out once, at the time last set, urgent ones first, then by time', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const agenda = new Agenda<Item>()
      const items = Array.from({ length: 6 }, (_, name) => itemOf(name))
      const expected = new Map<number, number>()
      for (const { name, at, isUrgent } of steps) {
        const item = items[name]
        if (item === undefined) continue
        if (at === undefined) agenda.takeOff(item)
        else if (isUrgent) agenda.urge(item, at)
        else agenda.put(item, at)
        if (at === undefined) expected.delete(name)
        else expected.set(name, at)
      }
      const taken: [number, number][] = []
      const ranks: number[] = []
      for (;;) {
        const due = agenda.takeDue(20)
        if (due === undefined) break
        taken.push([due.name, due.dueAt])
        ranks.push(due.isUrgent ? due.dueAt : due.dueAt + 100)
      }
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      expect(new Map(taken)).toEqual(expected)
      expect(taken).toHaveLength(expected.size)
    }),
  )
})

test('nothing comes out before it is due', () => {
  const agenda = new Agenda<Item>()
  const item = itemOf(1)
  agenda.put(item, 10)
  expect(agenda.nextAt).toBe(10)
  expect(agenda.takeDue(9)).toBeUndefined()
  expect(agenda.takeDue(10)).toBe(item)
  expect(agenda.nextAt).toBeUndefined()
})

test('an urgent item comes before items due for longer, until it is scheduled again', () => {
  const agenda = new Agenda<Item>()
  const [early, late, urgent] = [itemOf(1), itemOf(2), itemOf(3)]
  agenda.put(early, 10)
  agenda.put(late, 20)
  agenda.urge(urgent, 15)
  expect(agenda.nextAt).toBe(15)
  expect([agenda.takeDue(30), agenda.takeDue(30)]).toEqual([urgent, early])
  agenda.put(urgent, 25)
  expect([agenda.takeDue(30), agenda.takeDue(30)]).toEqual([late, urgent])
})
