import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../kube/schema/schema.ts'
import { checkTyped } from './checkTyped.ts'
import { shapeOf } from './shape.ts'

const text: Schema = { type: 'string' }
const schema: Schema = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    on: { type: 'boolean' },
    text,
    when: { type: 'string', format: 'date-time' },
    port: { 'x-kubernetes-int-or-string': true },
    list: { type: 'array', items: { type: 'integer' } },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'proto'],
      items: {
        type: 'object',
        properties: { name: text, proto: { ...text, default: 'TCP' }, value: { type: 'integer' } },
      },
    },
    required: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
      items: { type: 'object', properties: { a: text, b: text } },
    },
    labels: { type: 'object', additionalProperties: text },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    pod: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object' } },
    },
  },
}
const wrong = (value: unknown) => checkTyped(shapeOf(schema), value)

describe('what is applied and does not fit, in the words of kube-apiserver 1.36.3', () => {
  test.each([
    { value: { size: 'x' }, error: '.size: expected numeric (int or float), got string' },
    { value: { on: 'x' }, error: '.on: expected boolean, got &{x}' },
    {
      value: { text: 1 },
      error: '.text: expected string, got &value.valueUnstructured{Value:1}',
    },
    {
      value: { text: { a: 1 } },
      error:
        '.text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":1}}',
    },
    { value: { when: { a: 1 } }, error: '.when: expected any scalar, got &{map[a:1]}' },
    { value: { list: 'q' }, error: '.list: expected list, got &{q}' },
    { value: { labels: ['q'] }, error: '.labels: expected map, got &{[q]}' },
    { value: { bogus: 1 }, error: '.bogus: field not declared in schema' },
    { value: { set: ['a', 'a'] }, error: '.set: duplicate entries for key [="a"]' },
    {
      value: { set: [null] },
      error:
        ".set: element 0: associative list without keys has an element that's an explicit null",
    },
    {
      value: { set: [{}] },
      error: ".set: element 0: associative list without keys has an element that's a map type",
    },
    {
      value: { set: [[]] },
      error: '.set: element 0: not supported: associative list with lists as elements',
    },
    {
      value: { keyed: [{ name: 'a' }, { name: 'a', proto: 'TCP' }] },
      error: '.keyed: duplicate entries for key [name="a",proto="TCP"]',
    },
    {
      value: { keyed: [null] },
      error: '.keyed: element 0: associative list with keys may not have a null element',
    },
    {
      value: { keyed: ['x'] },
      error: '.keyed: element 0: associative list with keys may not have non-map elements',
    },
    {
      value: { keyed: [{ name: 'b', value: 'z' }] },
      error: '.keyed[name="b",proto="TCP"].value: expected numeric (int or float), got string',
    },
    {
      value: { required: [{}] },
      error:
        '.required: element 0: associative list with keys has an element that omits all key fields ["a" "b"] (and doesn\'t have default values for any key fields)',
    },
    { value: { list: [1, 'x'] }, error: '.list[1]: expected numeric (int or float), got string' },
    { value: 'x', error: 'expected map, got &{x}' },
    {
      value: { size: 'x', on: 3 },
      error:
        'errors:\n  .on: expected boolean, got &{3}\n  .size: expected numeric (int or float), got string',
    },
  ])('$value', ({ value, error }) => {
    expect(wrong(value)).toBe(error)
  })

  test.each([
    [{}],
    [{ size: 1.5, on: true, text: '', when: 'x', port: 1, list: [], labels: { a: 'b' } }],
    [{ size: null, on: null, text: null, list: null, set: null, keyed: null, labels: null }],
    [{ port: 'http' }],
    [{ port: { any: 'thing' } }],
    [{ keyed: [{ name: 'a' }, { name: 'a', proto: 'UDP' }] }],
    [{ free: { a: [1, { b: 'c' }] } }],
    [{ pod: { metadata: { name: 'x' }, spec: { any: 1 } } }],
  ])('%j fits', (value) => {
    expect(wrong(value)).toBeUndefined()
  })

  test('of many errors the first hundred are told', () => {
    const labels = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`l${at}`, at]))
    expect(wrong({ labels })?.split('\n')).toHaveLength(101)
  })
})
