// The messages were compared with those of kube-apiserver 1.36.3 for the same schemas and values.
import { describe, expect, test } from 'vitest'
import { type Schema, walkSchema } from './schema.ts'

/** One field under spec, so that the path is spec.x. */
const around = (x: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x } } },
})
const walkField = (x: Schema, given: unknown) => walkSchema(around(x), { spec: { x: given } })
const texts = (errors: readonly { path: string; message: string }[]) =>
  errors.map(({ path, message }) => `${path}: ${message}`)

const text: Schema = { type: 'string' }
const keep: Schema = { 'x-kubernetes-preserve-unknown-fields': true }
const listOf = (items: Schema): Schema => ({ type: 'array', items })

describe('scalars', () => {
  type Case = { x: Schema; given: unknown; error?: string }
  const integer: Schema = { type: 'integer' }
  const tooFar = 'Checked value must be of type integer'
  const cases: Case[] = [
    { x: text, given: 'a' },
    { x: text, given: 1, error: '"integer": spec.x in body must be of type string: "integer"' },
    { x: text, given: {}, error: '"object": spec.x in body must be of type string: "object"' },
    { x: text, given: [], error: '"array": spec.x in body must be of type string: "array"' },
    { x: integer, given: 3 },
    { x: integer, given: 'a', error: '"string": spec.x in body must be of type integer: "string"' },
    {
      x: { type: 'boolean' },
      given: 0,
      error: '"integer": spec.x in body must be of type boolean: "integer"',
    },
    { x: { type: 'number' }, given: 1.5 },
    { x: { type: 'number' }, given: 2 },
    { x: { ...integer, minimum: 1 }, given: 1 },
    {
      x: { ...integer, minimum: 1 },
      given: 0,
      error: '0: spec.x in body should be greater than or equal to 1',
    },
    {
      x: { ...integer, minimum: 1, exclusiveMinimum: true },
      given: 1,
      error: '1: spec.x in body should be greater than 1',
    },
    {
      x: { ...integer, maximum: 16384 },
      given: 99999,
      error: '99999: spec.x in body should be less than or equal to 16384',
    },
    {
      x: { ...integer, maximum: 5, exclusiveMaximum: true },
      given: 5,
      error: '5: spec.x in body should be less than 5',
    },
    {
      x: { ...integer, multipleOf: 2 },
      given: 3,
      error: '3: spec.x in body should be a multiple of 2',
    },
    { x: { ...integer, format: 'int32' }, given: 2147483647 },
    {
      x: { ...integer, format: 'int32' },
      given: 2147483648,
      error: `"": ${tooFar} with format int32 in spec.x`,
    },
    { x: { ...integer, format: 'int32' }, given: -2147483648 },
    { x: { ...integer, format: 'int64' }, given: Number('9223372036854775807') },
    { x: { ...integer, format: 'uint32' }, given: -1 },
    {
      x: { ...text, minLength: 2 },
      given: 'ä',
      error: '"ä": spec.x in body should be at least 2 chars long',
    },
    { x: { ...text, pattern: '^a+$' }, given: 'aa' },
    {
      x: { ...text, pattern: '^a+$' },
      given: 'ab',
      error: `"ab": spec.x in body should match '^a+$'`,
    },
    { x: { ...text, pattern: 'a' }, given: 'bab' },
    {
      x: { ...text, pattern: '(' },
      given: 'a',
      error:
        `"a": spec.x in body should match '(, but pattern is invalid: ` +
        "error parsing regexp: missing closing ): `(`'",
    },
    { x: { ...text, format: 'date-time' }, given: '2024-01-02T03:04:05.6+01:00' },
    {
      x: { ...text, format: 'date-time' },
      given: '2024-13-02T03:04:05Z',
      error:
        '"2024-13-02T03:04:05Z": spec.x in body must be of type date-time: "2024-13-02T03:04:05Z"',
    },
    { x: { ...text, format: 'ever-heard-of' }, given: 'a' },
    { x: { 'x-kubernetes-int-or-string': true }, given: 80 },
    { x: { 'x-kubernetes-int-or-string': true }, given: 'http' },
    {
      x: { 'x-kubernetes-int-or-string': true },
      given: true,
      error: '"boolean": spec.x in body must be of type integer,string: "boolean"',
    },
  ]
  test.each(cases)('$x takes $given? $error', ({ x, given, error }) => {
    const { errors, value } = walkField(x, given)
    expect(texts(errors)).toEqual(error === undefined ? [] : [`spec.x: Invalid value: ${error}`])
    expect(value).toEqual({ spec: { x: given } })
  })

  test('a length is counted in characters and reported without the value', () => {
    const short: Schema = { ...text, maxLength: 2 }
    expect(walkField(short, '😀😀').errors).toEqual([])
    expect(texts(walkField(short, '😀😀😀').errors)).toEqual([
      'spec.x: Too long: may not be more than 2 bytes',
    ])
    expect(texts(walkField({ ...text, maxLength: 1 }, 'ab').errors)).toEqual([
      'spec.x: Too long: may not be more than 1 byte',
    ])
  })

  test('a fraction is neither an integer nor in its range', () => {
    expect(texts(walkField(integer, 1.5).errors)).toEqual([
      'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
      `spec.x: Invalid value: "": ${tooFar} (default format) in spec.x`,
    ])
  })
})

describe('enums', () => {
  const announce: Schema = { ...text, enum: ['Layer2', 'BGP', 'None'] }

  test('list the supported values in the order of the schema', () => {
    expect(walkField(announce, 'BGP').errors).toEqual([])
    expect(texts(walkField(announce, 'X').errors)).toEqual([
      'spec.x: Unsupported value: "X": supported values: "Layer2", "BGP", "None"',
    ])
  })

  test('a value of the wrong type breaks the enum too', () => {
    expect(texts(walkField({ type: 'integer', enum: [1, 2] }, '1').errors)).toEqual([
      'spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"',
      'spec.x: Unsupported value: "1": supported values: "1", "2"',
    ])
  })

  test('compare whole objects, regardless of field order', () => {
    const pair: Schema = { ...keep, enum: [{ a: 1, b: [2] }] }
    expect(walkField(pair, { b: [2], a: 1 }).errors).toEqual([])
    expect(texts(walkField(pair, { b: 2, a: 1 }).errors)).toEqual([
      'spec.x: Unsupported value: {"a":1,"b":2}: supported values: "{\\"a\\":1,\\"b\\":[2]}"',
    ])
  })

  test('null is supported only if it is listed', () => {
    expect(texts(walkField({ ...announce, nullable: true }, null).errors)).toEqual([
      'spec.x: Unsupported value: null: supported values: "Layer2", "BGP", "None"',
    ])
  })
})

describe('objects and lists', () => {
  const pool: Schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: { type: 'object', required: ['addresses'], properties: { addresses: listOf(text) } },
    },
  }

  test('a missing required field is reported at its own path', () => {
    expect(texts(walkSchema(pool, {}).errors)).toEqual(['spec: Required value'])
    expect(texts(walkSchema(pool, { spec: {} }).errors)).toEqual(['spec.addresses: Required value'])
  })

  test('null counts as absent, except in a list', () => {
    const gone = walkSchema(pool, { spec: { addresses: null } })
    expect(gone.value).toEqual({ spec: {} })
    expect(texts(gone.errors)).toEqual(['spec.addresses: Required value'])
    expect(texts(walkSchema(pool, { spec: { addresses: ['a', null] } }).errors)).toEqual([
      'spec.addresses[1]: Invalid value: "null": ' +
        'spec.addresses[1] in body must be of type string: "null"',
    ])
  })

  test('null stays in a nullable field', () => {
    const { value, errors } = walkField({ ...text, nullable: true, default: 'a' }, null)
    expect(value).toEqual({ spec: { x: null } })
    expect(errors).toEqual([])
  })

  test('the fields of a map have its schema, and errors in a fixed order', () => {
    const labels: Schema = { type: 'object', additionalProperties: text }
    expect(texts(walkField(labels, { 'b.c/d': true, a: 1, c: 'c', n: null }).errors)).toEqual([
      'spec.x.a: Invalid value: "integer": spec.x.a in body must be of type string: "integer"',
      'spec.x.b.c/d: Invalid value: "boolean": ' +
        'spec.x.b.c/d in body must be of type string: "boolean"',
    ])
  })

  test('sizes', () => {
    const few: Schema = { ...listOf(text), minItems: 1, maxItems: 1 }
    expect(texts(walkField(few, []).errors)).toEqual([
      'spec.x: Invalid value: 0: spec.x in body should have at least 1 items',
    ])
    expect(texts(walkField(few, ['a', 'b']).errors)).toEqual([
      'spec.x: Too many: 2: must have at most 1 item',
    ])
    const map: Schema = { type: 'object', additionalProperties: text, minProperties: 1 }
    expect(texts(walkField(map, {}).errors)).toEqual([
      'spec.x: Invalid value: 0: spec.x in body should have at least 1 properties',
    ])
    expect(texts(walkField({ ...map, maxProperties: 2 }, { a: '', b: '', c: '' }).errors)).toEqual([
      'spec.x: Too many: 3: must have at most 2 items',
    ])
  })

  test('unique items', () => {
    const unique: Schema = { ...listOf(keep), uniqueItems: true }
    expect(walkField(unique, [{ a: 1 }, { a: 2 }]).errors).toEqual([])
    expect(
      texts(
        walkField(unique, [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ]).errors,
      ),
    ).toEqual([`spec.x: Invalid value: "": spec.x in body shouldn't contain duplicates`])
  })
})

describe('lists with keys', () => {
  const holders: Schema = {
    ...listOf({
      type: 'object',
      required: ['kind', 'name'],
      properties: { kind: text, name: text, uid: text },
    }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['kind', 'name'],
  }

  test('a duplicate entry is reported once, by its keys, after everything else', () => {
    const twice = { name: 'b', kind: 'a' }
    const list = [twice, { ...twice, uid: 'u' }, twice, { kind: 'a' }]
    expect(texts(walkField(holders, list).errors)).toEqual([
      'spec.x[3].name: Required value',
      'spec.x[1]: Duplicate value: {"kind":"a","name":"b"}',
    ])
  })

  test('sets contain each value once', () => {
    const set: Schema = { ...listOf(text), 'x-kubernetes-list-type': 'set' }
    expect(walkField(set, ['a', 'b']).errors).toEqual([])
    expect(texts(walkField(set, ['a', 'b', 'a', 'a']).errors)).toEqual([
      'spec.x[2]: Duplicate value: "a"',
    ])
  })

  test('inside a map the path is written with brackets', () => {
    const set: Schema = { ...listOf({ type: 'integer' }), 'x-kubernetes-list-type': 'set' }
    const map: Schema = { type: 'object', additionalProperties: set }
    expect(texts(walkField(map, { 'l.m': [1, 1] }).errors)).toEqual([
      'spec.x[l.m][1]: Duplicate value: 1',
    ])
  })

  test('an item that is not an object has no keys', () => {
    expect(texts(walkField(holders, [{ kind: 'a', name: 'b' }, 7]).errors)).toEqual([
      'spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type object: "integer"',
      'spec.x[1]: Invalid value: 7: must be an object for an array of list-type map',
    ])
  })
})

describe('alternatives', () => {
  const ab: Schema = { type: 'object', properties: { a: text, b: text } }
  const a: Schema = { required: ['a'] }
  const b: Schema = { required: ['b'] }
  type Case = { says: Schema; given: unknown; errors: string[] }
  const cases: Case[] = [
    { says: { anyOf: [a, b] }, given: { b: '' }, errors: [] },
    {
      says: { anyOf: [a, b] },
      given: {},
      errors: ['spec.x: "spec.x" must validate at least one schema (anyOf)', 'spec.x.a'],
    },
    { says: { oneOf: [a, b] }, given: { a: '' }, errors: [] },
    {
      says: { oneOf: [a, b] },
      given: { a: '', b: '' },
      errors: [
        'spec.x: "spec.x" must validate one and only one schema (oneOf). ' +
          'Found 2 valid alternatives',
      ],
    },
    {
      says: { oneOf: [a, b] },
      given: {},
      errors: [
        'spec.x: "spec.x" must validate one and only one schema (oneOf). Found none valid',
        'spec.x.a',
      ],
    },
    {
      says: { allOf: [a, b] },
      given: { a: '' },
      errors: ['spec.x.b', 'spec.x: "spec.x" must validate all the schemas (allOf)'],
    },
    {
      says: { allOf: [a], required: ['a'] },
      given: {},
      errors: [
        'spec.x.a',
        'spec.x: "spec.x" must validate all the schemas (allOf). None validated',
      ],
    },
    {
      says: { not: a },
      given: { a: '' },
      errors: ['spec.x: "spec.x" must not validate the schema (not)'],
    },
    { says: { anyOf: [], oneOf: [], allOf: [] }, given: {}, errors: [] },
  ]
  test.each(cases)('$says of $given', ({ says, given, errors }) => {
    const found = texts(walkField({ ...ab, ...says }, given).errors)
    const shown = found.map((text) =>
      text.replace(': Invalid value: ""', '').replace(': Required value', ''),
    )
    expect(shown).toEqual(errors)
  })
})
