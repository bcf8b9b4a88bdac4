import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { customShape } from './customShape.ts'
import { parsePath } from './jsonPath.ts'

const object = {
  metadata: { name: 'x', labels: { b: '2', a: '1' } },
  spec: {
    text: 'hi',
    null: null,
    int: 7,
    float: 2.75,
    bool: true,
    list: ['a', 'b', 'c'],
    none: [],
    matrix: [
      [1, 2],
      [3, 4],
    ],
    map: { 'a.b/c': 'dotted', x: '1', z: 2 },
    one: { key: 'only' },
    html: { z: [1, { q: null }], a: '<b>&' },
    date: '2026-01-01T00:00:00Z',
    empty: '',
    'with-dash': 'dash',
    pairs: [
      { key: { v: 'y' }, n: 1 },
      { key: { v: 'z' }, n: 2 },
    ],
  },
  status: {
    conditions: [
      { type: 'Other', status: 'False', n: 1, ok: false },
      { type: 'Ready', status: 'True', reason: 'Good', n: 2, ok: true },
      { type: 'a)b', n: 5 },
    ],
  },
}
const nowMs = Date.parse('2026-01-01T02:03:00Z')

function cellAt(type: string, jsonPath: string, from: Record<string, unknown> = object) {
  return customShape([{ name: 'C', type, jsonPath }]).cells(from, nowMs)[1]
}

// Each answer is that of k8s.io/apiextensions-apiserver v0.36.3.
describe('what a path finds, as text', () => {
  test.each([
    ['.spec.text', 'hi'],
    ['.spec.nothing', null],
    ['.spec.nothing.below', null],
    ['.spec.text.below', null],
    ['.spec.null', '<no value>'],
    ['.spec.int', '7'],
    ['.spec.bool', 'true'],
    ['.spec.empty', ''],
    ['.spec.with-dash', 'dash'],
    ['.spec.list', '["a","b","c"]'],
    ['.spec.none', '[]'],
    ['.spec.html', '{"a":"\\u003cb\\u003e\\u0026","z":[1,{"q":null}]}'],
    ['.metadata.labels', '{"a":"1","b":"2"}'],
    ['.spec.list[*]', 'a'],
    ['.spec.list[0]', 'a'],
    ['.spec.list[-1]', 'c'],
    ['.spec.list[9]', null],
    ['.spec.list[-9]', null],
    ['.spec.list[1:3]', 'b'],
    ['.spec.list[-2:]', 'b'],
    ['.spec.list[:2]', 'a'],
    ['.spec.list[1:9]', null],
    ['.spec.list[0:0]', null],
    ['.spec.list[1:3:2]', 'b'],
    ['.spec.list[2,1]', 'c'],
    ['.spec.none[0]', null],
    ['.spec.none[*]', null],
    ['.spec.matrix[1][0]', '3'],
    ['.spec.matrix[*][1]', '2'],
    ['.spec.map[0]', null],
    ['.spec.text[*]', null],
    ['.spec.one.*', 'only'],
    ['.spec..v', 'y'],
    ['.spec.map.a\\.b/c', 'dotted'],
    [".spec.map['a.b/c']", null],
    [".spec.map['a\\.b/c']", 'dotted'],
    [".spec['text','int']", 'hi'],
    ['.spec .text', 'hi'],
    ['.spec$.text', 'hi'],
    ['.spec.text}x', 'hi'],
    ['.', null],
  ])('%s: %j', (path, cell) => expect(cellAt('string', path)).toBe(cell))
})

describe('what a filter finds', () => {
  test.each([
    ['[?(@.type=="Ready")].status', 'True'],
    ["[?(@.type=='Ready')].status", 'True'],
    ['[?(@.type == "Ready")].status', 'True'],
    ['[?(@.type=="Nope")].status', null],
    ['[?(@.type!="Other")].type', 'Ready'],
    ['[?(@.type>"P")].type', 'Ready'],
    ['[?(@.type=="a)b")].n', '5'],
    ['[?(@.type=="Re\\"ady")].n', null],
    ['[?(@.reason)].type', 'Ready'],
    ['[?(@.n>1)].type', 'Ready'],
    ['[?(@.n>=2)].type', 'Ready'],
    ['[?(@.n<2)].type', 'Other'],
    ['[?(@.n<=1)].type', 'Other'],
    ['[?(@.n>1.5)].type', null],
    ['[?(@.n=="1")].type', null],
    ['[?(@.n=1)].type', null],
    ['[?(@.ok==true)].type', 'Ready'],
    ['[?(@.ok<true)].type', null],
    ['[?(1==1)].type', 'Other'],
    ['[?(@.type in x)].y', null],
  ])('%s: %j', (filter, cell) => {
    expect(cellAt('string', `.status.conditions${filter}`)).toBe(cell)
  })
  test('below a field', () => {
    expect(cellAt('string', '.spec.pairs[?(@.key.v=="z")].n')).toBe('2')
  })
  test('not in what is no list', () => {
    expect(cellAt('string', '.spec.map[?(@.x=="1")]')).toBeNull()
  })
})

test.each([
  ['integer', '.spec.int', 7],
  ['integer', '.spec.float', 2],
  ['integer', '.spec.text', null],
  ['integer', '.spec.list', null],
  ['integer', '.spec.null', null],
  ['number', '.spec.float', 2.75],
  ['number', '.spec.int', 7],
  ['boolean', '.spec.bool', true],
  ['boolean', '.spec.int', null],
  ['date', '.spec.date', '123m'],
  ['date', '.spec.text', '<invalid>'],
  ['date', '.spec.empty', '<unknown>'],
  ['date', '.spec.int', null],
  ['date', '.spec.null', null],
])('as %s %s is %j', (type, path, cell) => expect(cellAt(type, path)).toBe(cell))

test.each([
  [0.00012, '0.00012'],
  [0.00001234, '1.234e-05'],
  [1.5e-10, '1.5e-10'],
  [123456.5, '123456.5'],
  [123456789.125, '1.23456789125e+08'],
  [123456789, '123456789'],
  [1e20, '1e+20'],
  [1.5e22, '1.5e+22'],
  [-1, '-1'],
])('the number %d is the text %s', (number, text) => {
  expect(cellAt('string', '.n', { n: number })).toBe(text)
})

test.each([
  '.a["x"]',
  '.a[?(',
  '.a[?(@.b)',
  '.a[',
  '.a[x]',
  '.a[-]',
  '.a....b',
  '.a{',
  '.a[0]"b',
  '.a[?(@.b=="\\q")]',
])('%s cannot be read', (path) => expect(parsePath(path)).toBeUndefined())

test('no path throws', () => {
  const part = fc.constantFrom(
    '.spec',
    '.list',
    '[*]',
    '[0',
    ']',
    '..',
    '[?(',
    '@.n',
    '==',
    '"',
    "'",
    ')',
    '1',
    ':',
    ',',
    '\\',
    '}',
    ' ',
    'x',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const cell = cellAt('string', `.${parts.join('')}`)
      return cell === undefined || cell === null || typeof cell === 'string'
    }),
  )
})
