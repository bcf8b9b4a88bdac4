// The parameters of lists and watches; every refusal is what kube-apiserver 1.36.3 says.
import { expect, test } from 'vitest'
import { Kinds } from '../kinds/kinds.ts'
import type { Stored } from '../storage/stored.ts'
import { listOptions } from './listOptions.ts'

const kinds = new Kinds()
const stored = (name: string, fields: Readonly<Record<string, string>> = {}): Stored => ({
  resource: 'configmaps',
  namespace: 'shop',
  name,
  uid: name,
  revision: 1,
  bytes: new Uint8Array(),
  labels: { tier: 'front' },
  fields,
  owners: [],
})

type Asked = { query: string; plural?: string; verb?: 'list' | 'watch' }
function asked({ query, plural = 'configmaps', verb = 'list' }: Asked) {
  const kind = kinds.get(plural)
  if (kind === undefined) throw new Error(plural)
  return listOptions(new URLSearchParams(query), kind, verb)
}
const said = (row: Asked): string => {
  const options = asked(row)
  return options.ok ? 'ok' : `${options.status.code} ${options.status.message}`
}

const invalid = '422 ListOptions.meta.k8s.io "" is invalid:'
const match = 'resourceVersionMatch'
const unless = `${match}: Forbidden: ${match} is forbidden unless resourceVersion is provided`
const withContinue = `${match}: Forbidden: ${match} is forbidden when continue is provided`
const ofInitial = `${match}: Forbidden: sendInitialEvents requires setting ${match} to NotOlderThan`
const unlessInitial = 'unless sendInitialEvents is provided'
const notForWatch = `${match}: Forbidden: ${match} is forbidden for watch ${unlessInitial}`
const onlyOne = `${match}: Unsupported value: "Exact": supported values: "NotOlderThan"`
const initial = 'sendInitialEvents'

const cases: (Asked & { says: string })[] = [
  { query: '', says: 'ok' },
  { query: 'limit=%2B3&timeoutSeconds=-5&unknown=%zz', says: 'ok' },
  { query: 'limit=abc', says: '400 strconv.ParseInt: parsing "abc": invalid syntax' },
  { query: 'limit=', says: '400 strconv.ParseInt: parsing "": invalid syntax' },
  {
    query: 'limit=99999999999999999999',
    says: '400 strconv.ParseInt: parsing "99999999999999999999": value out of range',
  },
  { query: 'timeoutSeconds=1.5', says: '400 strconv.ParseInt: parsing "1.5": invalid syntax' },
  { query: `${match}=Exact`, says: `${invalid} ${unless}` },
  {
    query: `continue=x&${match}=Exact`,
    says: `${invalid} [${unless}, ${withContinue}]`,
  },
  {
    query: `resourceVersion=0&${match}=Exact`,
    says: `${invalid} ${match}: Forbidden: ${match} "exact" is forbidden for resourceVersion "0"`,
  },
  {
    query: `resourceVersion=1&${match}=Foo`,
    says:
      `${invalid} ${match}: Unsupported value: "Foo": supported values: ` +
      '"Exact", "NotOlderThan", ""',
  },
  {
    query: `${initial}=`,
    says: `${invalid} ${initial}: Forbidden: ${initial} is forbidden for list`,
  },
  { query: `${initial}=true`, verb: 'watch', says: `${invalid} ${ofInitial}` },
  { query: `${initial}=false&${match}=NotOlderThan`, verb: 'watch', says: 'ok' },
  {
    query: `resourceVersion=1&${match}=Exact`,
    verb: 'watch',
    says: `${invalid} [${notForWatch}, ${onlyOne}]`,
  },
  {
    query: `${initial}=true&${match}=Exact`,
    verb: 'watch',
    says: `${invalid} [${ofInitial}, ${onlyOne}]`,
  },
  {
    query: `continue=x&${match}=Exact`,
    verb: 'watch',
    says: `${invalid} [${notForWatch}, ${onlyOne}, ${withContinue}]`,
  },
  {
    query: 'labelSelector=a=b=c&fieldSelector=bad',
    says: "400 found '=', expected: ',' or 'end of string'",
  },
  { query: 'fieldSelector=bad', says: "400 invalid selector: 'bad'; can't understand 'bad'" },
  {
    query: 'fieldSelector=metadata.name>3',
    says: "400 invalid selector: 'metadata.name>3'; can't understand 'metadata.name>3'",
  },
  {
    query: 'fieldSelector=metadata.name=a\\',
    says: '400 invalid field selector: invalid escape sequence: \\',
  },
  {
    query: 'fieldSelector=metadata.name=a\\b',
    says: '400 invalid field selector: invalid escape sequence: \\b',
  },
  {
    query: 'fieldSelector=metadata.name=a=b',
    says: '400 invalid field selector: unescaped character in value: 61',
  },
  {
    query: 'fieldSelector=a=b',
    says: '400 "a" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  {
    query: 'fieldSelector=metadata.name!=a,foo!=b',
    says: '400 "foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  {
    query: 'fieldSelector=status.x=b',
    plural: 'services',
    says: '400 field label not supported: status.x',
  },
  {
    query: 'fieldSelector=metadata.namespace=b',
    plural: 'nodes',
    says: '400 field label not supported: metadata.namespace',
  },
  { query: 'fieldSelector=spec.type=b', plural: 'services', says: 'ok' },
  { query: 'fieldSelector=involvedObject.uid=b,type!=x', plural: 'events', says: 'ok' },
]
test.each(cases)('[C17] $verb $plural $query: $says', ({ says, ...row }) => {
  expect(said(row)).toBe(says)
})

test.each([
  ['fieldSelector=metadata.name=a', true],
  ['fieldSelector=metadata.name==a', true],
  ['fieldSelector=metadata.name!=a', false],
  ['fieldSelector=metadata.name=a,metadata.name=b', false],
  ['fieldSelector=metadata.namespace=shop', true],
  ['fieldSelector=,', true],
  ['fieldSelector=reason=Up\\,or\\=down', true],
  ['fieldSelector=type=', true],
  ['fieldSelector=type!=', false],
  ['labelSelector=tier=front&fieldSelector=metadata.name=b', false],
])('[C17] %s selects: %s', (query, selects) => {
  const options = asked({ query, plural: 'events' })
  if (!options.ok) throw new Error(options.status.message)
  const { matches = () => true } = options.value
  expect(matches(stored('a', { reason: 'Up,or=down' }))).toBe(selects)
})

const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`).join()
const names = (count: number) => 'metadata.name!=a,'.repeat(count)
const tooMany = (requirements: number, all: number): string =>
  `400 the selectors have ${requirements} requirements and ${all} values: at most 100 and 1000 are allowed`

test.each([
  ['1,000 values', `labelSelector=a in (${values(1000)}),!b`, 'ok'],
  ['one more', `labelSelector=a in (${values(1000)}),b=c`, tooMany(2, 1001)],
  ['101 requirements', `labelSelector=${'!a,'.repeat(100)}!a`, tooMany(101, 0)],
  ['labels and fields', `labelSelector=a&fieldSelector=${names(99)}`, 'ok'],
  ['one field more', `labelSelector=a&fieldSelector=${names(100)}`, tooMany(101, 100)],
])('selectors are limited together: %s', (_, query, says) => {
  expect(said({ query, verb: 'watch' })).toBe(says)
  expect(said({ query })).toBe(says)
})
