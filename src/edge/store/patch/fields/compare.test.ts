import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../kube/schema/schema.ts'
import { compare } from './compare.ts'
import { pathsOf } from './fieldsV1.ts'
import { shapeOf } from './shape.ts'

const text: Schema = { type: 'string' }
const schema: Schema = {
  type: 'object',
  properties: {
    a: text,
    labels: { type: 'object', additionalProperties: text },
    piece: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
    plain: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    env: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: text, value: text } },
    },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
}
const shape = shapeOf(schema)

const differences = (before: unknown, after: unknown) => {
  const { removed, modified, added } = compare(shape, before, after)
  return { removed: pathsOf(removed), modified: pathsOf(modified), added: pathsOf(added) }
}
const none = { removed: [], modified: [], added: [] }

describe('in which fields two objects differ', () => {
  test.each([
    { before: { a: 'x' }, after: { a: 'y' }, modified: ['.a'] },
    { before: {}, after: { a: 'x' }, added: ['.a'] },
    { before: { a: 'x' }, after: {}, removed: ['.a'] },
    { before: { a: 'x' }, after: { a: null }, modified: ['.a'] },
    {
      before: {},
      after: { labels: { x: '1' } },
      added: ['.labels', '.labels.x'],
    },
    {
      before: { labels: { x: '1' } },
      after: { labels: { y: '1' } },
      removed: ['.labels.x'],
      added: ['.labels.y'],
    },
    { before: { labels: {} }, after: { labels: null }, modified: ['.labels'] },
    { before: { labels: {} }, after: {}, removed: ['.labels'] },
    { before: { piece: { x: '1' } }, after: { piece: {} }, modified: ['.piece'] },
    { before: { plain: ['a', 'b'] }, after: { plain: ['b', 'a'] }, modified: ['.plain'] },
    { before: { set: ['a', 'b'] }, after: { set: ['b', 'a'] } },
    {
      before: { set: ['a'] },
      after: { set: ['b'] },
      removed: ['.set[="a"]'],
      added: ['.set[="b"]'],
    },
    {
      before: { env: [{ name: 'X', value: '1' }, { name: 'Y' }] },
      after: { env: [{ name: 'X', value: '2' }] },
      removed: ['.env[name="Y"]', '.env[name="Y"].name'],
      modified: ['.env[name="X"].value'],
    },
    {
      // What comes several times is one piece.
      before: { env: [{ name: 'X', value: '1' }] },
      after: {
        env: [
          { name: 'X', value: '1' },
          { name: 'X', value: '2' },
        ],
      },
      removed: ['.env[name="X"]', '.env[name="X"].name', '.env[name="X"].value'],
      added: ['.env[name="X"]'],
    },
    {
      before: { env: [{ name: 'X' }, { name: 'X' }] },
      after: { env: [{ name: 'X' }] },
      removed: ['.env[name="X"]'],
      added: ['.env[name="X"]', '.env[name="X"].name'],
    },
    {
      before: { env: [{ name: 'X' }, { name: 'X' }] },
      after: { env: [{ name: 'X' }, { name: 'X', value: '1' }] },
      modified: ['.env[name="X"]'],
    },
    {
      // Where anything may be, an object that becomes a text is both gone and changed.
      before: { any: { x: 1 } },
      after: { any: 'x' },
      removed: ['.any.x'],
      modified: ['.any'],
    },
    { before: { any: [1] }, after: { any: { x: 1 } }, modified: ['.any'], added: ['.any.x'] },
    { before: { unknown: { x: 1 } }, after: { unknown: { x: 2 } }, modified: ['.unknown'] },
  ])('$before and $after', ({ before, after, ...expected }) => {
    expect(differences(before, after)).toEqual({ ...none, ...expected })
  })

  test('nothing differs from itself, and what comes one way goes the other', () => {
    const letters = fc.constantFrom('a', 'b', 'c')
    const value = fc.record(
      {
        a: letters,
        labels: fc.dictionary(letters, letters),
        set: fc.array(letters, { maxLength: 3 }),
        env: fc.array(fc.record({ name: letters, value: letters }), { maxLength: 3 }),
        any: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(differences(one, structuredClone(one))).toEqual(none)
        const [there, back] = [differences(one, other), differences(other, one)]
        expect(there).toEqual({ ...back, removed: back.added, added: back.removed })
      }),
    )
  })
})
