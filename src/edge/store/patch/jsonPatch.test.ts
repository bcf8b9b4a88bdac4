import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import { jsonPatch } from './jsonPatch.ts'

const object: JsonObject = { data: { x: '1', n: null, 'a/b~c': '2' }, list: ['a', 'b'] }
const { data } = object as { data: JsonObject }

const rejected = {
  ok: false,
  status: {
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  },
}

describe('[C46] what an operation does, as kube-apiserver 1.36.3 did it', () => {
  test.each([
    {
      op: { op: 'add', path: '/data/y', value: { z: 1 } },
      after: { data: { ...data, y: { z: 1 } } },
    },
    { op: { op: 'add', path: '/data/x', value: '2' }, after: { data: { ...data, x: '2' } } },
    { op: { op: 'add', path: '/data/y' }, after: { data: { ...data, y: null } } },
    { op: { op: 'add', path: '/list/-', value: 'c' }, after: { list: ['a', 'b', 'c'] } },
    { op: { op: 'add', path: '/list/0', value: 'c' }, after: { list: ['c', 'a', 'b'] } },
    { op: { op: 'add', path: '/list/2', value: 'c' }, after: { list: ['a', 'b', 'c'] } },
    { op: { op: 'add', path: '/list/-1', value: 'c' }, after: { list: ['a', 'b', 'c'] } },
    { op: { op: 'add', path: '/list/+1', value: 'c' }, after: { list: ['a', 'c', 'b'] } },
    { op: { op: 'remove', path: '/list/0' }, after: { list: ['b'] } },
    { op: { op: 'remove', path: '/list/-1' }, after: { list: ['a'] } },
    { op: { op: 'remove', path: '/data/n' }, after: { data: { x: '1', 'a/b~c': '2' } } },
    { op: { op: 'remove', path: '/data/a~1b~0c' }, after: { data: { x: '1', n: null } } },
    { op: { op: 'replace', path: '/data/y', value: '3' }, after: { data: { ...data, y: '3' } } },
    { op: { op: 'replace', path: '/list/01', value: 'c' }, after: { list: ['a', 'c'] } },
    { op: { op: 'replace', path: '/list/-2', value: 'c' }, after: { list: ['c', 'b'] } },
    { op: { op: 'move', from: '/list/0', path: '/list/-' }, after: { list: ['b', 'a'] } },
    { op: { op: 'move', from: '/list', path: '/data/x' }, after: 'moved' },
    { op: { op: 'copy', from: '/data/x', path: '/list/0' }, after: { list: ['1', 'a', 'b'] } },
    { op: { op: 'copy', from: '/data/y', path: '/data/z' }, after: { data: { ...data, z: null } } },
    { op: { op: 'test', path: '/data/x', value: '1' }, after: {} },
    { op: { op: 'test', path: '/list', value: ['a', 'b'] }, after: {} },
    { op: { op: 'test', path: '', value: object }, after: {} },
    { op: { op: 'test', path: '/data/y', value: null }, after: {} },
    { op: { op: 'test', path: '/data/y' }, after: {} },
  ])('$op', ({ op, after }) => {
    const moved = { data: { ...data, x: ['a', 'b'] } }
    const expected = typeof after === 'string' ? moved : { ...object, ...after }
    expect(jsonPatch(object, [op])).toEqual({ ok: true, value: expected })
  })

  test('the whole is replaced by another object', () => {
    const outcome = jsonPatch(object, [{ op: 'replace', path: '', value: { a: 1 } }])
    expect(outcome).toEqual({ ok: true, value: { a: 1 } })
  })
})

describe('[C46] what does not fit is answered 422', () => {
  test.each([
    { op: 'add', path: '/nope/x', value: 1 },
    { op: 'add', path: '/data/x/y', value: 1 },
    { op: 'add', path: '/data/n/y', value: 1 },
    { op: 'add', path: '', value: {} },
    { op: 'add', path: 'data/x', value: 1 },
    { op: 'add', value: 1 },
    { op: 'add', path: '/list/3', value: 1 },
    { op: 'add', path: '/list/-4', value: 1 },
    { op: 'add', path: '/list/x', value: 1 },
    { op: 'add', path: '/list/1_0', value: 1 },
    { op: 'add', path: '/list/99999999999999999999', value: 1 },
    { op: 'remove', path: '/data/y' },
    { op: 'remove', path: '/nope/y' },
    { op: 'remove', path: '/list/2' },
    { op: 'remove', path: '/list/-' },
    { op: 'remove', path: '' },
    { op: 'replace', path: '/nope/x', value: 1 },
    { op: 'replace', path: '/list/2', value: 1 },
    { op: 'replace', path: '', value: 7 },
    { op: 'replace', path: '', value: [] },
    { op: 'replace', path: '' },
    { op: 'move', from: '/data/y', path: '/data/z' },
    { op: 'move', from: '/data', path: '/data/z' },
    { op: 'move', path: '/data/z' },
    { op: 'copy', from: '/list/2', path: '/data/z' },
    { op: 'copy', from: '', path: '/data/z' },
    { op: 'copy', from: '/data/x' },
    { op: 'test', path: '/data/x', value: '2' },
    { op: 'test', path: '/data/x' },
    { op: 'test', path: '/data', value: { x: '1' } },
    { op: 'test', path: '/list/2', value: 1 },
    { op: 'bogus', path: '/data/x' },
    { path: '/data/x' },
    null,
  ])('%j', (operation) => {
    expect(jsonPatch(object, [operation])).toMatchObject(rejected)
  })

  test('all or none: what went before the operation that failed has not happened', () => {
    const operations = [
      { op: 'replace', path: '/data/x', value: '9' },
      { op: 'remove', path: '/list/0' },
      { op: 'test', path: '/data/x', value: '1' },
    ]
    const before = structuredClone(object)
    expect(jsonPatch(object, operations)).toMatchObject(rejected)
    expect(object).toEqual(before)
  })
})

describe('[C46] what is no JSON patch is answered 400', () => {
  test.each([
    { patch: {}, found: 'object into Go value of type []handlers.jsonPatchOp' },
    { patch: 'x', found: 'string into Go value of type []handlers.jsonPatchOp' },
    { patch: [1], found: 'number into Go value of type handlers.jsonPatchOp' },
    { patch: [[]], found: 'array into Go value of type handlers.jsonPatchOp' },
    { patch: [{ op: 7 }], found: 'number into Go struct field jsonPatchOp.op of type string' },
    {
      patch: [{ op: 'add', path: {} }],
      found: 'object into Go struct field jsonPatchOp.path of type string',
    },
  ])('$patch', ({ patch, found }) => {
    const message = `error decoding patch: json: cannot unmarshal ${found}`
    const status = { code: 400, reason: 'BadRequest', message }
    expect(jsonPatch(object, patch)).toMatchObject({ ok: false, status })
  })

  test('null has no operations', () => {
    expect(jsonPatch(object, null)).toEqual({ ok: true, value: object })
  })
})

describe('a patch is bounded', () => {
  const tests = (count: number) =>
    Array.from({ length: count }, () => ({ op: 'test', path: '/data/x', value: '1' }))

  test('in the number of its operations', () => {
    expect(jsonPatch(object, tests(10_000)).ok).toBe(true)
    const message =
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001'
    const status = { code: 413, reason: 'RequestEntityTooLarge', message }
    expect(jsonPatch(object, tests(10_001))).toMatchObject({ ok: false, status })
  })

  test('in what it copies', () => {
    const copies = Array.from({ length: 30 }, (_, at) => ({
      op: 'copy',
      from: at === 0 ? '/a' : `/a${at}`,
      path: `/a${at + 1}`,
    }))
    expect(jsonPatch({ a: 'x'.repeat(100_000) }, copies).ok).toBe(true)
    expect(jsonPatch({ a: 'x'.repeat(110_000) }, copies)).toMatchObject(rejected)
  })

  test('in the depth that copies and moves build', () => {
    const chain = JSON.parse(`${'{"a":'.repeat(400)}{}${'}'.repeat(400)}`) as JsonObject
    const bottom = '/a'.repeat(401)
    const twice = [{ op: 'copy', from: '/a', path: bottom }]
    expect(jsonPatch(chain, twice).ok).toBe(true)
    const further = { op: 'copy', from: '/a', path: `${'/a'.repeat(800)}/a` }
    expect(jsonPatch(chain, [...twice, further])).toMatchObject(rejected)
    const moved = { op: 'move', from: '/b', path: bottom }
    expect(jsonPatch({ ...chain, b: deep(700) }, [moved])).toMatchObject(rejected)
  })

  test('in the items that have to make room', () => {
    const list = new Array<number>(200_000).fill(0)
    const inserts = Array.from({ length: 1_000 }, () => ({ op: 'add', path: '/list/0', value: 1 }))
    expect(jsonPatch({ list }, inserts)).toMatchObject(rejected)
    expect(jsonPatch({ list }, inserts.slice(0, 400)).ok).toBe(true)
  })

  const deep = (depth: number): JsonObject => (depth === 0 ? {} : { a: deep(depth - 1) })
})

describe('whatever the operations', () => {
  const path = fc.array(fc.constantFrom('a', 'b', '0', '1', '-', '__proto__'), { maxLength: 3 })
  const pointer = path.map((tokens) => tokens.map((token) => `/${token}`).join(''))
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: pointer,
      from: pointer,
      value: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['op', 'path'] },
  )
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.array(fc.jsonValue({ maxDepth: 1 })))
  const target = fc.record({ a: value, b: value })

  test('neither object nor patch is changed, and the answer is an object or a refusal', () => {
    fc.assert(
      fc.property(target, fc.array(operation, { maxLength: 6 }), (json, operations) => {
        const [before, patch] = [JSON.stringify(json), JSON.stringify(operations)]
        const outcome = jsonPatch(json, operations)
        expect([JSON.stringify(json), JSON.stringify(operations)]).toEqual([before, patch])
        if (outcome.ok) expect(JSON.stringify(outcome.value)).toMatch(/^\{/)
        else expect(outcome).toMatchObject(rejected)
      }),
      { numRuns: 500 },
    )
  })

  test('a copy is no alias of what it was made from', () => {
    const operations = [
      { op: 'add', path: '/a/y', value: {} },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/y/z', value: 1 },
      { op: 'add', path: '/a/y/w', value: 2 },
    ]
    expect(jsonPatch({ a: { x: {} } }, operations)).toEqual({
      ok: true,
      value: { a: { x: {}, y: { w: 2 } }, b: { x: {}, y: { z: 1 } } },
    })
  })
})
