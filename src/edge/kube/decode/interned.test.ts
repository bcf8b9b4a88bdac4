import { expect, test } from 'vitest'
import { internedList } from './interned.ts'

test('equal lists are one object, without spare capacity', () => {
  const grown = ['TCP/80']
  grown.push('TCP/443')
  const list = internedList(grown)
  expect(list).toEqual(['TCP/80', 'TCP/443'])
  expect(list).not.toBe(grown)
  expect(internedList(['TCP/80', 'TCP/443'])).toBe(list)
})

test.each([
  [['a', 'b'], ['a\nb']],
  [['a', 'b'], ['a,b']],
  [['', ''], ['']],
  [[], ['']],
])('%j and %j stay two objects', (one, other) => {
  expect(internedList(one)).toEqual(one)
  expect(internedList(other)).toEqual(other)
})

test('however much is read, no list changes', () => {
  const all = Array.from({ length: 10_000 }, (_, number) => [`text number ${number}`])
  for (const list of [...all, ...all]) expect(internedList(list)).toEqual(list)
})
