import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spansOf } from './jsonSpans.ts'

const bytesOf = (text: string) => Buffer.from(text)
const all = (bytes: Buffer) => ({ from: 0, to: bytes.length })

test.each([
  ['{"a":1,"b":[1,{"a":2}],"c":"}"}', { a: '1', b: '[1,{"a":2}]', c: '"}"' }],
  [' { "a" : "x\\"y\\\\" , "c" : null } ', { a: '"x\\"y\\\\"', c: 'null ' }],
  ['{"a":{"b":{"c":{}}}}', { a: '{"b":{"c":{}}}' }],
  ['{"A":1,"ab":2,"":3,"c":{"a":1}}', { c: '{"a":1}' }],
  ['{"a":1,"a":2}', { a: '2' }],
  ['{}', {}],
  ['[{"a":1}]', {}],
  ['"{"', {}],
  ['', {}],
])('%s', (text, found) => {
  const bytes = bytesOf(text)
  const spans = spansOf(bytes, all(bytes), ['a', 'b', 'c'])
  const texts = [...spans].map(([name, { from, to }]) => [name, text.slice(from, to)])
  expect(Object.fromEntries(texts)).toEqual(found)
})

test('whatever JSON it is, the members are those that parsing finds', () => {
  const names = ['object', 'oldObject']
  const object = fc.dictionary(fc.constantFrom(...names, 'other', '"\\{'), fc.jsonValue())
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1), (json, indent) => {
      const bytes = bytesOf(JSON.stringify(json, undefined, indent))
      const spans = spansOf(bytes, all(bytes), names)
      for (const name of names) {
        const span = spans.get(name)
        const value = span && JSON.parse(bytes.subarray(span.from, span.to).toString())
        const isThere = Object.hasOwn(json, name)
        expect(span !== undefined).toBe(isThere)
        if (isThere) expect(JSON.stringify(value)).toBe(JSON.stringify(json[name]))
      }
    }),
  )
})

test('whatever is no JSON, it ends, inside the text', () => {
  const junk = fc.array(fc.constantFrom(...'{}[]":,\\a 1'), { maxLength: 60 })
  fc.assert(
    fc.property(junk, (letters) => {
      const bytes = bytesOf(letters.join(''))
      for (const { from, to } of spansOf(bytes, all(bytes), ['a', '1', '']).values()) {
        expect(from).toBeLessThanOrEqual(to)
        expect(to).toBeLessThanOrEqual(bytes.length)
      }
    }),
  )
})
