import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../kube/schema/schema.ts'
import { nothing } from './fieldSet.ts'
import { fieldsOf, refitted, withDeclared } from './fieldsOf.ts'
import { decodeFields, encodeFields } from './fieldsV1.ts'
import { shapeOf } from './shape.ts'

const text: Schema = { type: 'string' }
const inner: Schema = { type: 'object', properties: { a: text, b: text } }
const schema: Schema = {
  type: 'object',
  properties: {
    a: text,
    inner,
    piece: { ...inner, 'x-kubernetes-map-type': 'atomic' },
    labels: { type: 'object', additionalProperties: text },
    nested: { type: 'object', additionalProperties: inner },
    plain: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    env: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
      items: { type: 'object', properties: { name: text, value: text } },
    },
    names: { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'merge' },
    once: { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'replace' },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    half: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: inner },
    },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
}
const shape = shapeOf(schema)

describe('the fields that a value names', () => {
  test.each([
    { value: { a: 'x' }, fields: { 'f:a': {} } },
    { value: { a: null }, fields: { 'f:a': {} } },
    { value: { inner: { a: 'x' } }, fields: { 'f:inner': { 'f:a': {} } } },
    { value: { inner: {} }, fields: { 'f:inner': {} } },
    { value: { inner: null }, fields: { 'f:inner': {} } },
    { value: { piece: { a: 'x' } }, fields: { 'f:piece': {} } },
    { value: { labels: { x: '1' } }, fields: { 'f:labels': { 'f:x': {} } } },
    {
      value: { nested: { x: { a: '1' }, y: {} } },
      fields: { 'f:nested': { 'f:x': { '.': {}, 'f:a': {} }, 'f:y': {} } },
    },
    { value: { plain: ['x'] }, fields: { 'f:plain': {} } },
    { value: { plain: [] }, fields: { 'f:plain': {} } },
    { value: { set: ['x'] }, fields: { 'f:set': { 'v:"x"': {} } } },
    { value: { set: [] }, fields: {} },
    { value: { set: null }, fields: { 'f:set': {} } },
    { value: { names: ['x'] }, fields: { 'f:names': { 'v:"x"': {} } } },
    { value: { once: ['x'] }, fields: { 'f:once': {} } },
    {
      value: { env: [{ name: 'X', value: '1' }] },
      fields: { 'f:env': { 'k:{"name":"X"}': { '.': {}, 'f:name': {}, 'f:value': {} } } },
    },
    {
      // What comes several times cannot be told apart.
      value: { env: [{ name: 'X', value: '1' }, { name: 'X' }] },
      fields: { 'f:env': { 'k:{"name":"X"}': {} } },
    },
    {
      value: { free: { x: { y: 1 }, z: [1] } },
      fields: { 'f:free': { 'f:x': { '.': {}, 'f:y': {} }, 'f:z': {} } },
    },
    {
      value: { half: { known: { a: '1', q: 1 }, z: 1 } },
      fields: { 'f:half': { 'f:known': { 'f:a': {}, 'f:q': {} }, 'f:z': {} } },
    },
    { value: { any: { x: 1 } }, fields: { 'f:any': { 'f:x': {} } } },
    { value: { any: 'x' }, fields: { 'f:any': {} } },
    { value: { unknown: { x: 1 } }, fields: { 'f:unknown': {} } },
  ])('$value', ({ value, fields }) => {
    expect(encodeFields(fieldsOf(shape, value))).toEqual(fields)
  })
})

const decoded = (json: unknown) => decodeFields(json) ?? nothing

test('declared fields are named with what is in them, entries of a map are not', () => {
  const fields = {
    'f:inner': { 'f:a': {} },
    'f:nested': { 'f:x': { 'f:a': {} } },
    'f:env': { 'k:{"name":"X"}': { 'f:value': {} } },
  }
  expect(encodeFields(withDeclared(shape, decoded(fields)))).toEqual({
    'f:inner': { '.': {}, 'f:a': {} },
    'f:nested': { '.': {}, 'f:x': { 'f:a': {} } },
    'f:env': { '.': {}, 'k:{"name":"X"}': { 'f:value': {} } },
  })
})

test('what became one piece since is owned as one, what is granular since stays as it was', () => {
  const fields = {
    'f:piece': { 'f:a': {} },
    'f:plain': { '.': {}, 'v:"x"': {} },
    'f:set': {},
    'f:free': { 'f:x': { 'f:y': {} } },
    'f:gone': { 'f:x': {} },
  }
  expect(encodeFields(refitted(shape, decoded(fields)))).toEqual({
    'f:piece': {},
    'f:plain': {},
    'f:set': {},
    'f:free': { 'f:x': { 'f:y': {} } },
    'f:gone': { 'f:x': {} },
  })
})
