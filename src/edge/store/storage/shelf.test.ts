import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stored } from '../../../../test/build/storedObjects.ts'
import { isBefore, keyOf, Shelf, spotOf } from './shelf.ts'

const keysIn = (shelf: Shelf, namespace?: string) =>
  [...shelf.between(...shelf.range(namespace))].map(keyOf)

test('keys are ordered as those of etcd: namespace and name with a slash between', () => {
  const shelf = new Shelf()
  const keys = ['a0/x', 'a/x.y', 'a/x', 'a-b/x', 'a/x-y']
  for (const key of keys) shelf.put(stored(1, key))
  expect(keysIn(shelf)).toEqual(['a-b/x', 'a/x', 'a/x-y', 'a/x.y', 'a0/x'])
})

const word = fc.string({ unit: fc.constantFrom('-', '.', '0', 'a', 'b'), maxLength: 3 })
const spot = fc.record({ namespace: word, name: word })

test('and that is the order of the whole keys', () => {
  fc.assert(
    fc.property(spot, spot, (one, other) => {
      expect(isBefore(one, other)).toBe(keyOf(one) < keyOf(other))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  { key: 'a/b', namespace: 'a', name: 'b' },
  { key: '/b', namespace: '', name: 'b' },
  { key: 'b', namespace: '', name: 'b' },
  { key: '', namespace: '', name: '' },
  { key: 'a/b/c', namespace: 'a', name: 'b/c' },
])('the key "$key" is of $namespace and $name', ({ key, ...spot }) => {
  expect(spotOf(key)).toEqual(spot)
})

test('many at once are sorted, and one that is there twice is found', () => {
  const shelf = new Shelf()
  for (const key of ['b/2', 'a/1', 'b/1']) shelf.append(stored(1, key))
  expect(shelf.sort()).toBeUndefined()
  expect(keysIn(shelf)).toEqual(['a/1', 'b/1', 'b/2'])
  shelf.append(stored(2, 'b/2'))
  expect(shelf.sort()?.name).toBe('2')
})

const key = fc
  .tuple(fc.constantFrom('', 'a', 'a-b', 'a0', 'b'), fc.integer({ max: 1500, min: 0 }))
  .map(([namespace, name]) => `${namespace}/${name}`)

test('it holds what a sorted list of all keys would, also in many chunks', () => {
  const puts = fc.array(key, { minLength: 3000, maxLength: 6000 })
  fc.assert(
    fc.property(puts, fc.array(key, { maxLength: 2000 }), key, (added, removed, asked) => {
      const shelf = new Shelf()
      const model = new Set<string>()
      for (const one of added) {
        expect(shelf.put(stored(1, one)) !== undefined).toBe(model.has(one))
        model.add(one)
      }
      // All of a namespace: chunks become empty.
      const whole = [...model].filter((one) => spotOf(one).namespace === 'a0')
      for (const one of [...removed, ...whole]) {
        expect(shelf.take(spotOf(one)) !== undefined).toBe(model.delete(one))
      }
      const sorted = [...model].sort((one, other) =>
        isBefore(spotOf(one), spotOf(other)) ? -1 : 1,
      )
      expect(keysIn(shelf)).toEqual(sorted)
      const { namespace } = spotOf(asked)
      const inIt = sorted.filter((one) => spotOf(one).namespace === namespace)
      expect(keysIn(shelf, namespace)).toEqual(inIt)
      const [, end] = shelf.range(undefined)
      const after = [...shelf.between(shelf.indexAfter(spotOf(asked)), end)].map(keyOf)
      expect(after).toEqual(sorted.filter((one) => isBefore(spotOf(asked), spotOf(one))))
      expect(shelf.find(spotOf(asked)) !== undefined).toBe(model.has(asked))
    }),
    { numRuns: 10, endOnFailure: true },
  )
})
