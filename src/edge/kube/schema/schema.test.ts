import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Schema, walkSchema } from './schema.ts'

/** One field under spec, so that the path is spec.x. */
const around = (x: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x } } },
})
const walkField = (x: Schema, given: unknown) => walkSchema(around(x), { spec: { x: given } })

const text: Schema = { type: 'string' }
const keep: Schema = { 'x-kubernetes-preserve-unknown-fields': true }
const listOf = (items: Schema): Schema => ({ type: 'array', items })

describe('pruning', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        properties: {
          known: text,
          list: listOf({ type: 'object', properties: { a: text } }),
          open: { ...keep, type: 'object', properties: { inner: { type: 'object' } } },
          anything: keep,
          map: { type: 'object', additionalProperties: { type: 'object' } },
          free: { type: 'object', additionalProperties: true },
          whole: { ...keep, type: 'object', 'x-kubernetes-embedded-resource': true },
          resource: { type: 'object', 'x-kubernetes-embedded-resource': true },
        },
      },
    },
  }
  type Case = { spec: unknown; left?: unknown; unknown: string[] }
  const cases: Case[] = [
    { spec: { known: 'a' }, unknown: [] },
    { spec: { z: 1, b: { c: 1 } }, left: {}, unknown: ['spec.b', 'spec.z'] },
    {
      spec: { list: [{ a: '' }, { c: 1 }] },
      left: { list: [{ a: '' }, {}] },
      unknown: ['spec.list[1].c'],
    },
    { spec: { open: { z: { y: 1 } } }, unknown: [] },
    {
      spec: { open: { inner: { z: 1 } } },
      left: { open: { inner: {} } },
      unknown: ['spec.open.inner.z'],
    },
    { spec: { anything: [{ z: [{ y: 1 }] }] }, unknown: [] },
    { spec: { map: { k: { z: 1 } } }, left: { map: { k: {} } }, unknown: ['spec.map.k.z'] },
    { spec: { free: { k: { z: 1 } } }, unknown: [] },
    { spec: { whole: { kind: 'K', spec: {} } }, unknown: [] },
    {
      spec: { resource: { kind: 'K', metadata: { z: 1 }, spec: {} } },
      left: { resource: { kind: 'K', metadata: { z: 1 } } },
      unknown: ['spec.resource.spec'],
    },
    {
      spec: { constructor: 1, toString: 2 },
      left: {},
      unknown: ['spec.constructor', 'spec.toString'],
    },
  ]
  test.each(cases)('$spec loses $unknown', ({ spec, left = spec, unknown }) => {
    const { value, unknownFields, errors } = walkSchema(schema, { spec })
    expect({ value, unknownFields, errors }).toEqual({
      value: { spec: left },
      unknownFields: unknown,
      errors: [],
    })
  })

  test('apiVersion, kind and metadata are left alone at the root only', () => {
    const object = { apiVersion: 'v1', kind: 'K', metadata: { name: 'a', z: { y: 1 } } }
    const { value, unknownFields } = walkSchema(schema, { ...object, z: 1, spec: { kind: 'K' } })
    expect(value).toEqual({ ...object, spec: {} })
    expect(unknownFields).toEqual(['spec.kind', 'z'])
  })

  test('a field called __proto__ is an ordinary field', () => {
    const json: unknown = JSON.parse(
      '{"spec": {"anything": {"__proto__": {"a": 1}}, "__proto__": 1}}',
    )
    const { value, unknownFields } = walkSchema(schema, json)
    expect(JSON.stringify(value)).toBe('{"spec":{"anything":{"__proto__":{"a":1}}}}')
    expect(unknownFields).toEqual(['spec.__proto__'])
  })
})

describe('defaults', () => {
  const port: Schema = { type: 'integer', default: 179 }
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          port,
          inner: { type: 'object', default: {}, properties: { port } },
          bare: { type: 'object', properties: { port } },
          list: listOf({ type: 'object', properties: { port } }),
          map: { type: 'object', additionalProperties: { type: 'object', properties: { port } } },
        },
      },
    },
  }
  const usual = { port: 179, inner: { port: 179 } }
  type Case = { given: unknown; filled: unknown }
  const cases: Case[] = [
    { given: {}, filled: {} },
    { given: { spec: {} }, filled: { spec: usual } },
    {
      given: { spec: { port: 1, inner: { port: 2 } } },
      filled: { spec: { port: 1, inner: { port: 2 } } },
    },
    { given: { spec: { port: null } }, filled: { spec: usual } },
    { given: { spec: { bare: {} } }, filled: { spec: { ...usual, bare: { port: 179 } } } },
    {
      given: { spec: { list: [{}, null] } },
      filled: { spec: { ...usual, list: [{ port: 179 }, null] } },
    },
    {
      given: { spec: { map: { a: {} } } },
      filled: { spec: { ...usual, map: { a: { port: 179 } } } },
    },
    { given: { spec: 'a' }, filled: { spec: 'a' } },
  ]
  test.each(cases)('$given becomes $filled', ({ given, filled }) => {
    expect(walkSchema(schema, given).value).toEqual(filled)
  })

  test('each object has its own copy', () => {
    const x: Schema = { ...listOf(text), default: ['Pools'] }
    const [one, other] = [walkSchema(around(x), { spec: {} }), walkSchema(around(x), { spec: {} })]
    expect(one.value).toEqual({ spec: { x: ['Pools'] } })
    expect(one.value).toEqual(other.value)
    const list = (walked: typeof one) => (walked.value as { spec: { x: unknown } }).spec.x
    expect(list(one)).not.toBe(list(other))
    expect(list(one)).not.toBe(x.default)
  })
})

describe('the walk', () => {
  test('shares unchanged parts with its input', () => {
    const json = { spec: { x: ['a'] } }
    expect(walkSchema(around(listOf(text)), json).value).toBe(json)
  })

  test('goes no deeper than the schema', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 50_000; level++) deep = level % 2 ? [deep] : { a: deep }
    expect(walkField(keep, deep).errors).toEqual([])
    expect(walkField(text, deep).errors).toHaveLength(1)
    expect(walkField({ ...keep, enum: [1] }, deep).errors).toHaveLength(1)
    const set: Schema = { ...listOf(keep), 'x-kubernetes-list-type': 'set' }
    expect(walkField(set, [deep, 1]).errors).toEqual([])
  })

  const names = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__')
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Schema>(
        keep,
        text,
        { type: 'integer', minimum: 3, default: 4 },
        { ...text, default: 'a' },
      ),
      fc.record({
        type: fc.constant('object' as const),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 4 }),
        required: fc.array(names, { maxLength: 2 }),
        nullable: fc.boolean(),
        'x-kubernetes-preserve-unknown-fields': fc.boolean(),
        default: fc.constantFrom({}, null),
      }),
      fc.record({ type: fc.constant('object' as const), additionalProperties: tie('schema') }),
      fc.record({
        type: fc.constant('array' as const),
        items: tie('schema'),
        'x-kubernetes-list-type': fc.constantFrom('set' as const, 'map' as const),
        'x-kubernetes-list-map-keys': fc.constant(['a']),
      }),
    ),
  }))
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.dictionary(names, tie('json'), { maxKeys: 4 }),
      fc.array(tie('json'), { maxLength: 3 }),
    ),
  }))

  test('never throws, never changes its input, and is idempotent', () => {
    fc.assert(
      fc.property(schema, json, (schema, json) => {
        const before = JSON.stringify(json)
        const once = walkSchema(schema, json)
        expect(JSON.stringify(json)).toBe(before)
        const again = walkSchema(schema, once.value)
        expect(again.value).toBe(once.value)
        expect(again.unknownFields).toEqual([])
        expect(again.errors).toEqual(once.errors)
      }),
    )
  })
})
