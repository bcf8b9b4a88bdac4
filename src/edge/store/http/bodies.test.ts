// What is done to texts on their way in and out: nothing is lost, nothing is taken for another.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicateFields } from './duplicateFields.ts'
import { parseJson } from './jsonBody.ts'
import { listBody } from './listBody.ts'
import { prettyJson } from './prettyJson.ts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
const indented = (text: string, most = 1_000_000): string | undefined => {
  const made = prettyJson(bytesOf(text), most)
  return made && textOf(made)
}
const json = fc.jsonValue({ depthSize: 'medium', stringUnit: 'grapheme' })

test('indented JSON equals that of JSON.stringify', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('numbers keep their form; a final line break is removed', () => {
  expect(indented('{"a":12345678901234567890.0}\n')).toBe('{\n  "a": 12345678901234567890.0\n}')
})

test('what would become too long is not indented', () => {
  expect(indented('{"a":1}', 12)).toBe('{\n  "a": 1\n}')
  expect(indented('{"a":1}', 11)).toBe(undefined)
  const deep = `${'['.repeat(200)}${'0,'.repeat(1_000)}0${']'.repeat(200)}`
  expect(indented(deep, 100_000)).toBe(undefined)
})

test('a body is read as by JSON.parse; valid JSON has no duplicate fields', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      expect(parseJson(bytesOf(text))).toEqual({
        ok: true,
        value: { value: JSON.parse(text), duplicates: [] },
      })
    }),
  )
})

test.each([
  ['{"a":1,"a":2}', ['a']],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', []],
  ['{"a":{"b":1,"b":2,"b":3},"a":0}', ['a.b', 'a']],
  ['{"l":[{"x":1},{"x":1,"x":2},[{"y":1,"y":1}]]}', ['l[1].x', 'l[2][0].y']],
  ['{"a":1,"\\u0061":2}', ['a']],
  ['{ "a" : "}{\\"a\\":" , "b" : "a" }', []],
  ['{"a":"a","b":"a","c":["a","a"]}', []],
  ['["a","a"]', []],
])('%s has twice: %s', (text, paths) => {
  expect(duplicateFields(text)).toEqual(paths)
})

test.each([
  ['{"a":"{[{[{["}', true],
  ['{"a":"\\"{[', false],
  [`${'['.repeat(200)}${']'.repeat(200)}`, true],
  [`${'['.repeat(201)}${']'.repeat(201)}`, false],
  [`[${'[[]],'.repeat(1000)}[]]`, true],
  [`{"a":"${'['.repeat(300)}"}`, true],
])('%.40s is taken: %s', (text, isTaken) => {
  expect(parseJson(bytesOf(text)).ok).toBe(isTaken)
})

test('invalid UTF-8 is refused', () => {
  expect(parseJson(Uint8Array.from([0x22, 0xff, 0x22])).ok).toBe(false)
})

test('a list is its items joined, in pieces, and as long as it says', () => {
  const item = fc.uint8Array({ maxLength: 100_000, minLength: 10 })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), fc.constantFrom(0, 5), (all, cutBytes) => {
      const { lengthBytes, pieces } = listBody('{"items":[', { all, cutBytes }, ']}')
      const shown = all.map((bytes) =>
        cutBytes === 0 ? bytes : Buffer.concat([bytesOf('{'), bytes.subarray(cutBytes)]),
      )
      const joined = shown.flatMap((bytes, index) =>
        index === 0 ? [bytes] : [bytesOf(','), bytes],
      )
      const made = Buffer.concat([...pieces()])
      expect(made.equals(Buffer.concat([bytesOf('{"items":['), ...joined, bytesOf(']}')]))).toBe(
        true,
      )
      expect(made.length).toBe(lengthBytes)
    }),
    { numRuns: 30 },
  )
})
