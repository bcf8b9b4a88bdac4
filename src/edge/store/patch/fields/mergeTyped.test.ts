import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../kube/schema/schema.ts'
import { nothing } from './fieldSet.ts'
import { decodeFields } from './fieldsV1.ts'
import { mergeTyped } from './mergeTyped.ts'
import { shapeOf } from './shape.ts'
import { withoutFields } from './withoutFields.ts'

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
      items: { type: 'object', properties: { name: text, value: text, other: text } },
    },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
}
const shape = shapeOf(schema)

describe('a live object and an applied one make', () => {
  test.each([
    { live: { a: 'x' }, applied: { a: 'y' }, merged: { a: 'y' } },
    {
      live: { labels: { x: '1', y: '1' } },
      applied: { labels: { x: '2', z: '1' } },
      merged: { labels: { x: '2', y: '1', z: '1' } },
    },
    { live: { labels: { x: '1' } }, applied: { labels: {} }, merged: { labels: { x: '1' } } },
    { live: { labels: { x: '1' } }, applied: { labels: null }, merged: { labels: { x: '1' } } },
    { live: { labels: {} }, applied: { labels: null }, merged: { labels: null } },
    { live: { piece: { x: '1' } }, applied: { piece: { y: '1' } }, merged: { piece: { y: '1' } } },
    { live: { plain: ['a'] }, applied: { plain: ['b'] }, merged: { plain: ['b'] } },
    { live: { any: { x: 1 } }, applied: { any: 'x' }, merged: { any: 'x' } },
    { live: { any: { x: 1 } }, applied: { any: { y: 1 } }, merged: { any: { x: 1, y: 1 } } },
    { live: { b: { x: 1 } }, applied: { b: { y: 1 } }, merged: { b: { y: 1 } } },
  ])('$live + $applied = $merged', ({ live, applied, merged }) => {
    expect(mergeTyped(shape, live, applied)).toEqual(merged)
  })

  /** As kube-apiserver ordered them. */
  test.each([
    { live: 'abc', applied: '', merged: 'abc' },
    { live: '', applied: 'ba', merged: 'ba' },
    { live: 'abc', applied: 'b', merged: 'abc' },
    { live: 'abc', applied: 'd', merged: 'abcd' },
    { live: 'abc', applied: 'cba', merged: 'cba' },
    { live: 'abc', applied: 'ca', merged: 'bca' },
    { live: 'abx', applied: 'bac', merged: 'bxac' },
    { live: 'bax', applied: 'abc', merged: 'axbc' },
    { live: 'xay', applied: 'daeb', merged: 'xdayeb' },
  ])('in a set: $live + $applied = $merged', ({ live, applied, merged }) => {
    const sets = { live: { set: [...live] }, applied: { set: [...applied] } }
    expect(mergeTyped(shape, sets.live, sets.applied)).toEqual({ set: [...merged] })
  })

  test('items of one key are one, those that come several times are replaced', () => {
    const live = {
      env: [
        { name: 'X', value: '1', other: 'o' },
        { name: 'Y', value: '1' },
        { name: 'Y', value: '2' },
        { name: 'Z' },
        { name: 'Z' },
      ],
    }
    const applied = { env: [{ name: 'X', value: '2' }, { name: 'Y' }] }
    expect(mergeTyped(shape, live, applied)).toEqual({
      env: [{ name: 'X', value: '2', other: 'o' }, { name: 'Y' }, { name: 'Z' }, { name: 'Z' }],
    })
  })
})

describe('what is left of an object', () => {
  const object = {
    a: 'x',
    labels: { x: '1', y: '1' },
    piece: { x: '1' },
    plain: ['a'],
    set: ['a', 'b'],
    env: [{ name: 'X', value: '1' }, { name: 'Y' }],
  }

  test.each([
    { fields: {}, left: object },
    { fields: { 'f:a': {}, 'f:nope': {} }, left: { ...object, a: undefined } },
    { fields: { 'f:labels': { 'f:x': {} } }, left: { ...object, labels: { y: '1' } } },
    { fields: { 'f:labels': { 'f:x': {}, 'f:y': {} } }, left: { ...object, labels: null } },
    { fields: { 'f:piece': { 'f:q': {} } }, left: { ...object, piece: null } },
    { fields: { 'f:plain': { 'v:"q"': {} } }, left: { ...object, plain: null } },
    { fields: { 'f:set': { 'v:"a"': {} } }, left: { ...object, set: ['b'] } },
    {
      fields: { 'f:env': { 'k:{"name":"X"}': { 'f:value': {} }, 'k:{"name":"Y"}': {} } },
      left: { ...object, env: [{ name: 'X' }] },
    },
    {
      fields: { 'f:env': { 'k:{"name":"X"}': {}, 'k:{"name":"Y"}': {} } },
      left: { ...object, env: null },
    },
  ])('without $fields', ({ fields, left }) => {
    const gone = decodeFields(fields) ?? nothing
    expect(withoutFields(shape, object, gone)).toEqual(left)
  })
})
