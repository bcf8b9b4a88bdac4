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
