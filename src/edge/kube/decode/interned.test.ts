import { expect, test } from 'vitest'
import { interned, internedList } from './interned.ts'

test('equal lists are one, and no longer than what is in them', () => {
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
])('%j and %j are two', (one, other) => {
  expect(internedList(one)).toEqual(one)
  expect(internedList(other)).toEqual(other)
})

test('however much is read, each text stays itself', () => {
  const texts = Array.from({ length: 10_000 }, (_, number) => `text number ${number}`)
  for (const text of [...texts, ...texts]) expect(interned(text)).toBe(text)
})
