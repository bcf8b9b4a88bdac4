import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Turn } from './turn.ts'

const entry = fc.record({
  key: fc.string({ minLength: 1, maxLength: 3 }),
  holds: fc.boolean(),
  createdAt: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
})

test('holders first, then by age, then by name; each key once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ({ key }) => key }), (entries) => {
      const turn = new Turn()
      for (const { key, ...rank } of entries) turn.push(key, rank)
      for (const { key, ...rank } of entries) turn.push(key, rank)
      const sorted = entries
        .map(({ key, holds, createdAt }) => ({ key, text: `${holds ? 0 : 1} ${createdAt} ${key}` }))
        .sort((a, b) => (a.text < b.text ? -1 : 1))
      expect(turn.size).toBe(entries.length)
      expect(entries.map(() => turn.pop())).toEqual(sorted.map(({ key }) => key))
      expect(turn.pop()).toBeUndefined()
    }),
  )
})

const [old, young] = ['2026-01-01', '2026-01-02']

test('the newest rank counts: who holds an address by now goes first', () => {
  const turn = new Turn()
  turn.push('old', { holds: false, createdAt: old })
  turn.push('young', { holds: false, createdAt: young })
  turn.push('young', { holds: true, createdAt: young })
  expect([turn.size, turn.pop(), turn.pop(), turn.pop(), turn.size]).toEqual([
    2,
    'young',
    'old',
    undefined,
    0,
  ])
})

test('who is asked comes in turn, and only if something is left by then', () => {
  for (const isLeft of [true, false]) {
    const turn = new Turn()
    turn.push('old', { holds: false, createdAt: old })
    turn.ask('lan', { key: 'young', holds: false, createdAt: young }, () => isLeft)
    expect([turn.size, turn.pop(), turn.pop()]).toEqual([2, 'old', isLeft ? 'young' : undefined])
    expect(turn.size).toBe(0)
  }
})

test('who is asked and woken is decided once; only the last one asked counts', () => {
  const turn = new Turn()
  turn.ask('lan', { key: 'old', holds: false, createdAt: old }, () => true)
  turn.ask('lan', { key: 'young', holds: false, createdAt: young }, () => true)
  turn.push('young', { holds: false, createdAt: young })
  expect([turn.pop(), turn.pop(), turn.size]).toEqual(['young', undefined, 0])
})
