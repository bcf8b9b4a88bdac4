import { expect, test } from 'vitest'
import { isDnsLabel, isDnsSubdomain, isLabelKey, isLabelValue } from './names.ts'

const long = 'a'.repeat(63)
test.each([
  ['web', true, true],
  ['0-a', true, true],
  ['172.17.0.80', false, true],
  ['fd00-bbbb--80', true, true],
  [long, true, true],
  [`${long}a`, false, true],
  [Array(5).fill(long).join('.'), false, false],
  ['', false, false],
  ['-a', false, false],
  ['a-', false, false],
  ['a..b', false, false],
  ['Web', false, false],
  ['a_b', false, false],
])('%s is a label: %j, a subdomain: %j', (text, label, subdomain) => {
  expect([isDnsLabel(text), isDnsSubdomain(text)]).toEqual([label, subdomain])
})

test.each([
  ['app', true],
  ['app.kubernetes.io/managed-by', true],
  ['berth.dev/Addressed_1', true],
  ['', false],
  ['/app', false],
  ['berth.dev/', false],
  ['a/b/c', false],
  ['Berth.dev/app', false],
  ['-app', false],
  [`${long}a`, false],
])('%j is a label key: %j', (text, is) => {
  expect(isLabelKey(text)).toBe(is)
})

test.each([
  ['', true],
  ['A.b_c-1', true],
  ['a b', false],
  ['a-', false],
  [`${long}a`, false],
])('%j is a label value: %j', (text, is) => {
  expect(isLabelValue(text)).toBe(is)
})
