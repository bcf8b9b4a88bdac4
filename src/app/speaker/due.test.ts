import { expect, test } from 'vitest'
import { Due } from './due.ts'

const all = (due: Due): (string | undefined)[] => {
  const keys: (string | undefined)[] = []
  for (let key = due.take(); key !== undefined; key = due.take()) keys.push(key)
  return keys
}

test('each key comes out once, urgent keys first, then in the order added', () => {
  const due = new Due()
  for (const key of ['a', 'b', 'c', 'a']) due.add(key)
  due.urge('c')
  due.add('c')
  due.urge('d')
  expect(due.size).toBe(4)
  expect(all(due)).toEqual(['c', 'd', 'a', 'b'])
  expect(due.size).toBe(0)
  due.add('a')
  expect(all(due)).toEqual(['a'])
})

test('a waiting key that becomes urgent is not decided twice', () => {
  const due = new Due()
  due.add('a')
  due.add('b')
  expect(due.take()).toBe('a')
  due.urge('b')
  due.add('a')
  expect(all(due)).toEqual(['b', 'a'])
})
