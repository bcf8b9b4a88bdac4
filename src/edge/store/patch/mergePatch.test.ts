import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import { mergePatch } from './mergePatch.ts'

const patched = (target: JsonObject, patch: unknown): unknown => {
  const outcome = mergePatch(target, patch)
  return outcome.ok ? outcome.value : outcome.status.message
}

describe('[C44] a merge patch', () => {
  test.each([
    // The examples of RFC 7386, appendix A, that are about objects.
    { target: { a: 'b' }, patch: { a: 'c' }, after: { a: 'c' } },
    { target: { a: 'b' }, patch: { b: 'c' }, after: { a: 'b', b: 'c' } },
    { target: { a: 'b' }, patch: { a: null }, after: {} },
    { target: { a: 'b', b: 'c' }, patch: { a: null }, after: { b: 'c' } },
    { target: { a: ['b'] }, patch: { a: 'c' }, after: { a: 'c' } },
    { target: { a: 'c' }, patch: { a: ['b'] }, after: { a: ['b'] } },
    { target: { a: { b: 'c' } }, patch: { a: { b: 'd', c: null } }, after: { a: { b: 'd' } } },
    { target: { a: [{ b: 'c' }] }, patch: { a: [1] }, after: { a: [1] } },
    { target: { e: null }, patch: { a: 1 }, after: { e: null, a: 1 } },
    { target: {}, patch: { a: { bb: { ccc: null } } }, after: { a: { bb: {} } } },
    // What Kubernetes does beside: nulls go inside new lists, too, but not items.
    { target: {}, patch: { a: [{ b: null, c: 1 }, null] }, after: { a: [{ c: 1 }, null] } },
    { target: { a: [1] }, patch: { a: [{ b: null }] }, after: { a: [{}] } },
    { target: { a: {} }, patch: { a: [{ b: null }] }, after: { a: [{ b: null }] } },
    { target: { a: null }, patch: { a: { b: null } }, after: { a: {} } },
  ])('$target and $patch make $after', ({ target, patch, after }) => {
    expect(patched(target, patch)).toEqual(after)
  })

  test('a field called __proto__ is a field like others', () => {
    const patch: unknown = JSON.parse('{"a":{"__proto__":{"b":1}}}')
    expect(JSON.stringify(patched({ a: {} }, patch))).toBe('{"a":{"__proto__":{"b":1}}}')
  })

  test.each([
    { patch: null, message: 'Invalid JSON Patch' },
    { patch: [], message: undecodable('array') },
    { patch: 7, message: undecodable('number') },
    { patch: 'x', message: undecodable('string') },
    { patch: true, message: undecodable('bool') },
  ])('$patch is answered 400: $message', ({ patch, message }) => {
    const said = { code: 400, reason: 'BadRequest', message }
    expect(mergePatch({}, patch)).toMatchObject({ ok: false, status: said })
  })

  test('what the patch does not name is shared, and the target stays as it was', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify(target)
        const after = patched(target, patch) as JsonObject
        expect(JSON.stringify(target)).toBe(before)
        for (const name of Object.keys(target)) {
          if (!Object.hasOwn(patch, name)) expect(after[name]).toBe(target[name])
        }
      }),
    )
  })
})

function undecodable(type: string): string {
  const found = `json: cannot unmarshal ${type} into Go value`
  return `error decoding patch: ${found} of type map[string]interface {}`
}
