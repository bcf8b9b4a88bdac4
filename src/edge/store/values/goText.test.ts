import { expect, test } from 'vitest'
import { goJson, goSyntax, goText, goType } from './goText.ts'

const value = { b: [1, 'x', null, true], a: { c: 1.5 } }

test.each([
  { how: '%v', text: goText(value), go: 'map[a:map[c:1.5] b:[1 x <nil> true]]' },
  {
    how: '%#v',
    text: goSyntax(value),
    go: 'map[string]interface {}{"a":map[string]interface {}{"c":1.5}, "b":[]interface {}{1, "x", interface {}(nil), true}}',
  },
  { how: 'as JSON', text: goJson(value), go: '{"a":{"c":1.5},"b":[1,"x",null,true]}' },
  { how: 'as JSON inside HTML', text: goJson('<&>\u2028'), go: '"\\u003c\\u0026\\u003e\\u2028"' },
])('a value is printed $how', ({ text, go }) => {
  expect(text).toBe(go)
})

test.each([
  [1, 'int64'],
  [1.5, 'float64'],
  ['x', 'string'],
  [true, 'bool'],
  [null, '<nil>'],
  [[], '[]interface {}'],
  [{}, 'map[string]interface {}'],
])('%j is of type %s', (json, type) => {
  expect(goType(json)).toBe(type)
})
