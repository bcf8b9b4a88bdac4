import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ServiceQueue } from './serviceQueue.ts'

const entry = fc.record({
  key: fc.string({ minLength: 1, maxLength: 3 }),
  holds: fc.boolean(),
  createdAt: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
})

test('holders first, then by age, then by name; each key once', () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ({ key }) => key }), (entries) => {
      const queue = new ServiceQueue()
      for (const { key, ...rank } of entries) queue.push(key, rank)
      for (const { key, ...rank } of entries) queue.push(key, rank)
      const sorted = entries
        .map(({ key, holds, createdAt }) => ({ key, text: `${holds ? 0 : 1} ${createdAt} ${key}` }))
        .sort((a, b) => (a.text < b.text ? -1 : 1))
      expect(queue.size).toBe(entries.length)
      expect(entries.map(() => queue.pop())).toEqual(sorted.map(({ key }) => key))
      expect(queue.pop()).toBeUndefined()
    }),
  )
})

const [old, young] = ['2026-01-01', '2026-01-02']

test('the newest rank counts: who holds an address by now goes first', () => {
  const queue = new ServiceQueue()
  queue.push('old', { holds: false, createdAt: old })
  queue.push('young', { holds: false, createdAt: young })
  queue.push('young', { holds: true, createdAt: young })
  expect([queue.size, queue.pop(), queue.pop(), queue.pop(), queue.size]).toEqual([
    2,
    'young',
    'old',
    undefined,
    0,
  ])
})

test('who is asked comes in order, and only if something is left by then', () => {
  for (const isLeft of [true, false]) {
    const queue = new ServiceQueue()
    queue.push('old', { holds: false, createdAt: old })
    queue.ask('lan', { key: 'young', holds: false, createdAt: young }, () => isLeft)
    expect([queue.size, queue.pop(), queue.pop()]).toEqual([2, 'old', isLeft ? 'young' : undefined])
    expect(queue.size).toBe(0)
  }
})

test('who is asked and woken is decided once; only the last one asked counts', () => {
  const queue = new ServiceQueue()
  queue.ask('lan', { key: 'old', holds: false, createdAt: old }, () => true)
  queue.ask('lan', { key: 'young', holds: false, createdAt: young }, () => true)
  queue.push('young', { holds: false, createdAt: young })
  expect([queue.pop(), queue.pop(), queue.size]).toEqual(['young', undefined, 0])
})

test('[R2.4] who asks for a specific address goes first if it may by then, and movers after it', () => {
  for (const mayGoFirst of [true, false]) {
    const queue = new ServiceQueue()
    queue.push('old', { holds: false, createdAt: old })
    queue.push('young', { holds: false, createdAt: young })
    queue.push('mover', { holds: true, createdAt: young })
    queue.pin('young', young, () => mayGoFirst)
    expect(queue.pop()).toBe('mover')
    expect(queue.putOff('mover', young)).toBe(true)
    const order = mayGoFirst ? ['young', 'mover', 'old'] : ['mover', 'old', 'young']
    expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()]).toEqual([...order, undefined])
    expect([queue.size, queue.putOff('mover', young)]).toEqual([0, false])
  }
})

test('[R2.4] who has an address by then does not go first a second time', () => {
  const queue = new ServiceQueue()
  queue.push('web', { holds: false, createdAt: old })
  queue.pin('web', old, () => true)
  queue.push('web', { holds: true, createdAt: old })
  expect([queue.pop(), queue.pop(), queue.size]).toEqual(['web', undefined, 0])
  expect(queue.putOff('other', old)).toBe(false)
})

test('who asks again and again, and is not asked yet, takes no more room', () => {
  const queue = new ServiceQueue()
  for (let at = 0; at < 100; at++) {
    queue.push('a', { holds: false, createdAt: old })
    queue.pin('a', old, () => true)
    queue.ask('pool', { key: 'b', holds: false, createdAt: old }, () => true)
  }
  expect([queue.entries, queue.pop(), queue.pop(), queue.pop()]).toEqual([3, 'a', 'b', undefined])
})
