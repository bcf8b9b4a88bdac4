// Every refusal is what kube-apiserver 1.36.3 says to the same selector.
import { expect, test } from 'vitest'
import { meetsLabels, parseLabelSelector } from './labelSelector.ts'

const name =
  "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for " +
  "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or " +
  "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const subdomain =
  'prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric ' +
  "characters, '-' or '.', and must start and end with an alphanumeric character (e.g. " +
  "'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const long = 'a'.repeat(65)
const number = "for 'Gt', 'Lt' operators, the value must be an integer"
const unable = 'unable to parse requirement:'

test.each([
  ['a=b=c', "found '=', expected: ',' or 'end of string'"],
  ['!', `${unable} found '', expected: identifier`],
  ['a in b', `${unable} found 'b' expected: '('`],
  ['a in (', `${unable} found '', expected: ',', ')' or identifier`],
  ['a in (!', `${unable} found '!', expected: ',', ')' or identifier`],
  ['a in (b', `${unable} found '', expected: ',' or ')'`],
  ['a in (b!', `${unable} found '!', expected: ',' or ')'`],
  ['a in (b c)', `${unable} found 'c', expected: ',' or ')'`],
  ['a in', `${unable} found '' expected: '('`],
  ['=b', "found '=', expected: !, identifier, or 'end of string'"],
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['a,,b', "found ',', expected: identifier after ','"],
  ['a,', "found '', expected: identifier after ','"],
  ['a b', `${unable} found 'b', expected: in, notin, =, ==, !=, gt, lt`],
  ['a!b', `${unable} found '!', expected: in, notin, =, ==, !=, gt, lt`],
  ['a gt 5', `${unable} found 'gt', expected: in, notin, =, ==, !=, gt, lt`],
  ['a(', `${unable} found '(', expected: in, notin, =, ==, !=, gt, lt`],
  ['a=(b)', `${unable} found '(', expected: identifier`],
  ['a===b', `${unable} found '=', expected: identifier`],
  ['a<>b', `${unable} found '>', expected: identifier`],
  ['!a=b', "found '=', expected: ',' or 'end of string'"],
  ['!a!', "found '!', expected: ',' or 'end of string'"],
  ['a>x', `${unable} values[0]: Invalid value: "x": ${number}`],
  ['a>', `${unable} values[0]: Invalid value: "": ${number}`],
  ['-a', `${unable} <nil>: Invalid value: "-a": name part must ${name}`],
  [long, `${unable} <nil>: Invalid value: "${long}": name part must be no more than 63 bytes`],
  ['/x', `${unable} <nil>: Invalid value: "/x": prefix part must be non-empty`],
  ['A_/x', `${unable} <nil>: Invalid value: "A_/x": ${subdomain}`],
  [
    'x/',
    `${unable} <nil>: Invalid value: "x/": name part must be non-empty; name part must ${name}`,
  ],
  [
    'a/b/c',
    `${unable} <nil>: Invalid value: "a/b/c": a valid label key must ${name} with an optional ` +
      "DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  ],
  ['a=-b', `${unable} values[0][a]: Invalid value: "-b": ${value}`],
  [`a=${long}`, `${unable} values[0][a]: Invalid value: "${long}": must be no more than 63 bytes`],
  [
    'a in (-c,-b)',
    `${unable} [values[0][a]: Invalid value: "-b": ${value}, ` +
      `values[1][a]: Invalid value: "-c": ${value}]`,
  ],
])('[C17] %s is refused: %s', (text, why) => {
  expect(parseLabelSelector(text)).toEqual({ ok: false, why })
})

const labels = { tier: 'front', weight: '10', empty: '' }
test.each([
  ['', true],
  ['tier', true],
  ['!tier', false],
  ['!other', true],
  ['tier=front', true],
  ['tier==front', true],
  ['tier=back', false],
  ['tier!=back', true],
  ['other!=back', true],
  ['tier!=front', false],
  ['tier in (back, front)', true],
  ['tier notin (back,front)', false],
  ['other notin (back)', true],
  ['other in (back)', false],
  ['empty=', true],
  ['empty in ()', true],
  ['tier in ()', false],
  ['empty in (a,)', true],
  ['empty in (,a)', true],
  ['weight>9', true],
  ['weight<9', false],
  ['tier>1', false],
  ['other>1', false],
  ['in', false],
  [' tier = front , weight ', true],
  ['tier=front,weight=11', false],
  ['constructor', false],
  ['constructor!=x', true],
])('[C17] %s selects: %s', (text, selects) => {
  const selector = parseLabelSelector(text)
  expect(selector.ok && meetsLabels(selector.value, labels)).toBe(selects)
})
