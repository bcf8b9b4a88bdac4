// What kubectl 1.36 answers for each of these was asked of it: see test/kubectl.
import { expect, test } from 'vitest'
import { jsonOf, keyOf, plainScalar, taggedScalar } from './scalar.ts'

const alike: [text: string, value: unknown][] = [
  ['', null],
  ['~', null],
  ['Null', null],
  ['nULL', 'nULL'],
  ['no', false],
  ['Off', false],
  ['n', false],
  ['y', true],
  ['on', true],
  ['tRUE', 'tRUE'],
  ['2024-01-01', '2024-01-01'],
  ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00Z'],
  ['190:20:30', '190:20:30'],
  ['10.0.0.1', '10.0.0.1'],
  ['fe80::1', 'fe80::1'],
  ['=', '='],
  ['<<', '<<'],
  ['0', 0],
  ['-0', 0],
  ['-0.0', 0],
  ['+5', 5],
  ['017', 15],
  ['08', 8],
  ['0o17', 15],
  ['-0o17', -15],
  ['0o8', '0o8'],
  ['0X1F', 31],
  ['0x', '0x'],
  ['0b101', 5],
  ['0b-101', -5],
  ['1_000', 1000],
  ['-_1', -1],
  ['_1', '_1'],
  ['1e3', 1000],
  ['1_0.5e3', 10_500],
  ['1.', 1],
  ['+.5', 0.5],
  ['._5', '._5'],
  ['.', '.'],
  ['-', '-'],
  ['1e400', '1e400'],
  ['1e-400', 0],
  ['9007199254740993', 9_007_199_254_740_992],
  ['99999999999999999999', 1e20],
  ['0xFFFFFFFFFFFFFFFFF', '0xFFFFFFFFFFFFFFFFF'],
  ['07777777777777777777777777', 7.777777777777778e24],
  ['.inf', undefined],
  ['-.INF', undefined],
  ['.nan', undefined],
]

test.each(alike)('plain %j is %j', (text, value) => {
  expect(jsonOf(plainScalar(text))).toBe(value)
})

const tagged: [tag: string, text: string, value: unknown][] = [
  ['!!str', '12', '12'],
  ['!', '12', '12'],
  ['!unknown', '12', '12'],
  ['!!int', '12', 12n],
  ['!<tag:yaml.org,2002:int>', '0x10', 16n],
  ['!!int', '1.5', undefined],
  ['!!float', '1', 1],
  ['!!float', 'one', undefined],
  ['!!bool', 'no', false],
  ['!!bool', '0', undefined],
  ['!!null', '', null],
  ['!!null', 'none', undefined],
  ['!!timestamp', '2024-01-01', '2024-01-01'],
  ['!!timestamp', 'today', undefined],
  ['!!binary', 'aGVs\nbG8=\n', 'hello'],
  ['!!binary', 'a b', undefined],
  ['!!seq', 'text', 'text'],
]

test.each(tagged)('%s %j is %s', (tag, text, value) => {
  expect(taggedScalar(tag, text)).toBe(value)
})

const keys: [text: string, key: string | undefined][] = [
  ['80', '80'],
  ['017', '15'],
  ['yes', 'true'],
  ['1.20', '1.2'],
  ['1000000', '1000000'],
  ['1e6', '1e+06'],
  ['123456', '123456'],
  ['123456789.5', '1.2345679e+08'],
  ['0.0001', '0.0001'],
  ['1e-7', '1e-07'],
  ['-2.5e-5', '-2.5e-05'],
  ['1e39', '.inf'],
  ['-.inf', '-.inf'],
  ['.nan', '.nan'],
  ['9007199254740993', '9007199254740993'],
  ['18446744073709551615', undefined],
  ['~', undefined],
]

test.each(keys)('the key %s is %j', (text, key) => {
  expect(keyOf(plainScalar(text))).toBe(key)
})
