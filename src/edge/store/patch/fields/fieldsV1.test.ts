import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEmpty } from './fieldSet.ts'
import { decodeFields, encodeFields, pathsOf } from './fieldsV1.ts'

const decoded = (json: unknown) => {
  const fields = decodeFields(json)
  if (fields === undefined) throw new Error('cannot be read')
  return fields
}

describe('fieldsV1', () => {
  const ports = {
    '.': {},
    'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
    'k:{"port":443,"protocol":"TCP"}': { 'f:port': {} },
  }
  const fields = {
    'f:metadata': {
      'f:finalizers': { 'v:"a"': {}, 'v:"b"': {} },
      'f:labels': { '.': {}, 'f:x': {} },
    },
    'f:spec': { 'f:list': { 'i:2': {}, 'i:10': {} }, 'f:ports': ports },
  }

  test('is read and written as it was', () => {
    expect(encodeFields(decoded(fields))).toEqual(fields)
  })

  test('is sorted: fields by their letters, items by their keys, numbers by their size', () => {
    const mixed = {
      'i:10': {},
      'i:9': {},
      'v:"b"': {},
      'v:10': {},
      'v:9': {},
      'v:true': {},
      'k:{"port":443}': {},
      'k:{"port":80,"z":1}': {},
      'k:{"port":80}': {},
      'k:{"name":"a"}': {},
      'f:b': {},
      'f:a': {},
      'f:B': {},
    }
    expect(Object.keys(encodeFields(decoded(mixed)))).toEqual([
      'f:B',
      'f:a',
      'f:b',
      'k:{"name":"a"}',
      'k:{"port":80}',
      'k:{"port":80,"z":1}',
      'k:{"port":443}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:9',
      'i:10',
    ])
  })

  test('equal elements are one, however they are written', () => {
    const json = { 'k:{"b":1,"a":"<"}': {}, 'k:{ "a": "\\u003c", "b": 1.0 }': {}, 'i:+01': {} }
    expect(encodeFields(decoded(json))).toEqual({
      'k:{"a":"\\u003c","b":1}': {},
      'i:1': {},
    })
  })

  test('elements of a kind that nobody knows are passed over', () => {
    expect(encodeFields(decoded({ 'f:a': { 'x:1': {} }, 'y:': {} }))).toEqual({ 'f:a': {} })
  })

  test.each([
    ['x'],
    [[]],
    [{ a: {} }],
    [{ f: {} }],
    [{ 'k:{': {} }],
    [{ 'k:[1]': {} }],
    [{ 'v:': {} }],
    [{ 'i:x': {} }],
    [{ 'f:a': 1 }],
  ])('%j cannot be read', (json) => {
    expect(decodeFields(json)).toBeUndefined()
  })

  test.each([[undefined], [null], [{}]])('%j is nothing', (json) => {
    expect(isEmpty(decoded(json))).toBe(true)
  })

  test('paths are written as messages have them, a level before what is under it', () => {
    const json = {
      ...fields,
      'f:a.b': { '.': {}, 'f:c': {} },
    }
    expect(pathsOf(decoded(json))).toEqual([
      '.a.b',
      '.a.b.c',
      '.metadata.labels',
      '.metadata.finalizers[="a"]',
      '.metadata.finalizers[="b"]',
      '.metadata.labels.x',
      '.spec.ports',
      '.spec.list[2]',
      '.spec.list[10]',
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.ports[port=80,protocol="TCP"].port',
      '.spec.ports[port=443,protocol="TCP"].port',
    ])
  })

  test('what was written is read as the same', () => {
    const element = fc.oneof(
      fc.string().map((name) => `f:${name}`),
      fc.jsonValue({ maxDepth: 1 }).map((value) => `v:${JSON.stringify(value)}`),
      fc.dictionary(fc.string(), fc.integer()).map((keys) => `k:${JSON.stringify(keys)}`),
      fc.nat().map((index) => `i:${index}`),
    )
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.constant({}),
        fc.dictionary(element, tie('node'), { maxKeys: 4 }),
      ),
    })).node
    fc.assert(
      fc.property(tree, (json) => {
        const once = encodeFields(decoded(json))
        expect(encodeFields(decoded(once))).toEqual(once)
      }),
    )
  })
})
