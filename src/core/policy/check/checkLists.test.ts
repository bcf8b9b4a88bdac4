import { expect, test } from 'vitest'
import { labelled } from '../../../../test/build/announcing.ts'
import type { Requirement, Selector } from '../../model/selector.ts'
import { checkOnce, checkSelectors } from './checkLists.ts'

const zone = labelled({ zone: 'one' })
const expressions = (...matchExpressions: readonly Requirement[]): Selector => ({
  matchLabels: {},
  matchExpressions,
})
const inZone = (...values: readonly string[]): Requirement => ({
  key: 'zone',
  operator: 'In',
  values,
})

test.each([
  [[], []],
  [['a', 'b'], []],
  [
    ['a', 'b', 'a', 'a'],
    ['list[2]', 'list[3]'],
  ],
])('%j repeats %j', (texts, paths) => {
  expect(checkOnce('list', texts).map(({ path }) => path)).toEqual(paths)
})

type Case = { rule: string; selectors: readonly Selector[]; path: string; message: string }
const refused: readonly Case[] = [
  { rule: 'M8.1 rule 9', selectors: [zone, zone], path: 's[1]', message: 'Duplicate' },
  {
    rule: 'M8.1 rule 19',
    selectors: [expressions(inZone('one', 'two')), expressions(inZone('two', 'one'))],
    path: 's[1]',
    message: 'Duplicate',
  },
  {
    rule: 'M8.1 rule 18',
    selectors: [expressions(inZone('one', 'one'))],
    path: 's[0].matchExpressions[0].values[1]',
    message: 'Duplicate value: "one"',
  },
  {
    rule: 'M8.1 rule 9',
    selectors: [expressions(inZone('one'), inZone('one'))],
    path: 's[0].matchExpressions[1]',
    message: 'Duplicate',
  },
  {
    rule: 'M8.1 rule 19',
    selectors: [expressions({ key: 'zone', operator: 'Beside', values: [] })],
    path: 's[0].matchExpressions[0].operator',
    message: 'In, NotIn, Exists, DoesNotExist',
  },
  {
    rule: 'M8.1 rule 9',
    selectors: [expressions(inZone())],
    path: 's[0].matchExpressions[0].values',
    message: 'In needs at least one value',
  },
  {
    rule: 'M8.1 rule 9',
    selectors: [expressions({ key: 'zone', operator: 'Exists', values: ['one'] })],
    path: 's[0].matchExpressions[0].values',
    message: 'Exists takes no values',
  },
  {
    rule: 'M8.1 rule 9',
    selectors: [labelled({ 'no key': 'one' })],
    path: 's[0].matchLabels',
    message: 'not a label key',
  },
  {
    rule: 'M8.1 rule 9',
    selectors: [labelled({ zone: 'no value' })],
    path: 's[0].matchLabels[zone]',
    message: 'not a label value',
  },
]
test.each(refused)('[$rule] $path: $message', ({ selectors, path, message }) => {
  const [error, ...rest] = checkSelectors('s', selectors)
  expect(error?.path).toBe(path)
  expect(error?.message).toContain(message)
  expect(rest).toEqual([])
})

test.each<Selector>([
  labelled({}),
  labelled({ 'example.com/zone': '', zone: 'A.b_c-1' }),
  expressions(inZone('one'), { key: 'zone', operator: 'NotIn', values: ['one'] }),
  expressions({ key: 'zone', operator: 'DoesNotExist', values: [] }),
])('%j is a selector', (selector) => {
  expect(checkSelectors('s', [selector, zone])).toEqual([])
})
