import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Read, readDocument } from './manifest.ts'
import { parseManifests } from './readManifests.ts'

const head = 'apiVersion: example.dev/v1\nkind: T\n'

/** An object as its own JSON less its type, a refusal as line! why. */
function shown(read: Read): unknown {
  if (!read.ok) return `${read.unreadable.source.line}! ${read.unreadable.why}`
  const { apiVersion: _, kind: __, ...rest } = read.manifest.json
  return rest
}
const readValue = (yaml: string): unknown => parseManifests(`${head}v: ${yaml}`, 'f').map(shown)[0]

const refusals: [yaml: string, refusal: string][] = [
  ['[1', '3! unexpected end of the stream within a flow collection, at the end of the document'],
  [
    '"a',
    '3! unexpected end of the stream within a double quoted scalar, at the end of the document',
  ],
  ['a: b', '3! bad indentation of a mapping entry'],
  ['\n\t- a', '4! tab characters must not be used in indentation'],
  ['\n  a: 1\n b: 2', '5! bad indentation of a mapping entry'],
  ['\n  a: 1\n  b: 2\n  a: 3', '6! key "a" is already set in this mapping'],
  ['{yes: 1, true: 2}', '3! key "true" is already set in this mapping'],
  ['{"a": 1,\n "a": 2}', '4! key "a" is already set in this mapping'],
  ['{{ .Values.v }}', '3! a key must be a single value: quote it if it is a template'],
  ['{~: a}', '3! neither null nor 2^63 can be a key'],
  ['{a:}', '3! a space is missing after the colon'],
  ['[a:, b]', '3! a space is missing after the colon'],
  ['.inf', '3! JSON has no such number'],
  ['!!int x', '3! "x" is not of the kind !!int'],
  ['{<<: a}', '3! << takes a mapping or a list of mappings'],
  ['{a: &l [{b: 1}], c: {<<: *l}}', '3! << takes a mapping or a list of mappings'],
  ['*a', '3! alias *a has no anchor before it'],
  ['[*a, &a 1]', '3! alias *a has no anchor before it'],
  ['&a [*a]', '3! an anchor that contains itself'],
  ['a\0b', '3! null byte is not allowed in input'],
  ['a\u0001b', '3! the stream contains non-printable characters'],
]

test.each(refusals)('%j is refused: %s', (yaml, refusal) => {
  expect(readValue(yaml)).toBe(refusal)
})

const values: [yaml: string, value: unknown][] = [
  ['no', false],
  ['2024-01-01', '2024-01-01'],
  ['"no"', 'no'],
  ['!t [1, !t {a: !t b}]', [1, { a: 'b' }]],
  ['!!set {a, b}', { a: null, b: null }],
  ['{80: a, true: b}', { 80: 'a', true: 'b' }],
  ['{a: 1, <<: {a: 2, b: 3}}', { a: 2, b: 3 }],
  ['{<<: {a: 2, b: 3}, a: 1}', { a: 1, b: 3 }],
  ['{<<: [{a: 1}, {a: 2, b: 3}]}', { a: 1, b: 3 }],
  ['{a: &x {b: 1}, c: {<<: *x, d: 2}}', { a: { b: 1 }, c: { b: 1, d: 2 } }],
  ['{"<<": {a: 1}}', { '<<': { a: 1 } }],
  ['[&a 1, &a 2, *a]', [1, 2, 2]],
  ['[&k key, {*k : a}]', ['key', { key: 'a' }]],
  ['[&x {a: &y [1]}, *x, *y]', [{ a: [1] }, { a: [1] }, [1]]],
]

test.each(values)('%j is %j', (yaml, value) => {
  expect(readValue(yaml)).toEqual({ v: value })
})

test('a key called __proto__ is a key like any other', () => {
  const [read] = parseManifests(`${head}v: {__proto__: {a: 1}}`, 'f')
  expect(JSON.stringify(read?.ok && read.manifest.json)).toContain('"v":{"__proto__":{"a":1}}')
})

test('what an alias stands for is copied: a change here is none there', () => {
  const [read] = parseManifests(`${head}v: {a: &x {b: 1}, c: *x, d: {<<: {e: *x}}}`, 'f')
  if (!read?.ok) return expect.unreachable()
  const { v } = read.manifest.json as { v: Record<'a' | 'c' | 'd', { e?: unknown }> }
  expect(new Set([v.a, v.c, v.d.e]).size).toBe(3)
})

const documents: [text: string, ...reads: unknown[]][] = [
  [''],
  ['# nothing\n---\n---\n# nothing\n'],
  ['null'],
  ['~'],
  ['- a', '1! an object is expected, not a list'],
  ['\n\na', '3! an object is expected, not the string "a"'],
  ['kind: T', '1! apiVersion is missing'],
  ['# c\napiVersion: v1', '2! kind is missing'],
  ['apiVersion: 1\nkind: T', '1! apiVersion must be text, not the number 1'],
  ['apiVersion: v1\nkind: [T]', '1! kind must be text, not a list'],
  ['apiVersion: v1\nkind:', '1! kind must be text, not null'],
  [
    `${head}v: [\n---\n${head}v: 1`,
    '3! deficient indentation, at the end of the document',
    { v: 1 },
  ],
  [`%YAML 1.1\n---\n${head}`, '1! directives end mark is expected, at the end of the document', {}],
  [`${head}...\n`, {}],
  [
    `${head}...\n\nmore: 1`,
    {},
    '5! not read, since "..." ends the document: begin the next with ---',
  ],
  ['{"apiVersion":"v1","kind":"T","v":1e2}{"apiVersion":"v1","kind":"T"}', { v: 100 }, {}],
  ['{"apiVersion":"v1",\n"kind":"T",\n"v":[1}', '3! missed comma between flow collection entries'],
  [`\ufeff${head}v: 1`, { v: 1 }],
]

test.each(documents)('%j', (text, ...reads) => {
  expect(parseManifests(text, 'f').map(shown)).toEqual(reads)
})

test('a list is its items, each with its line, of the type that the list says', () => {
  const text = `apiVersion: v1
kind: ServiceList
metadata: {resourceVersion: "7"}
items:
- metadata: {name: a}
- {apiVersion: v1, kind: Pod}
- &shared
  spec: {}
- *shared
- 3
- apiVersion: v1
  kind: List
  items:
  - {kind: T}
`
  const lines = readDocument('f', 1, text).map((read) => {
    if (!read.ok) return shown(read)
    const { source, json } = read.manifest
    return `${source.line}: ${(json as { kind: string }).kind}`
  })
  const service = ['5: Service', '6: Pod', '8: Service', '9: Service']
  const refused = ['10! an object is expected, not the number 3', '14! apiVersion is missing']
  expect(lines).toEqual([...service, ...refused])
})

test.each(['', 'items:', 'items: {}'])('a List with %j is no list', (items) => {
  const [read] = parseManifests(`apiVersion: v1\nkind: List\n${items}`, 'f')
  expect(read?.ok).toBe(true)
})

const scenario = `# about
apiVersion: berth.dev/v1alpha1
kind: Scenario
metadata:
  annotations: {berth.dev/rule: R1, berth.dev/a.b: x}
spec:
  given: &pool
    addresses:
    - 10.0.0.0/24
    -
      - nested
  steps:
  - apply: []
  - apply:
    - *pool
    - kind: Service
      spec:
        "type": LoadBalancer
        ports: [80,
          443]
`
const fields: [path: string, line: number][] = [
  ['', 3],
  ['kind', 4],
  ['spec', 7],
  ['spec.given.addresses', 9],
  ['spec.given.addresses[0]', 10],
  ['spec.given.addresses[1][0]', 12],
  ['spec.given.addresses[9]', 9],
  ['spec.given.missing.deeper', 8],
  ['missing', 3],
  ['metadata.annotations.berth.dev/a.b', 6],
  ['metadata.annotations[berth.dev/rule]', 6],
  ['spec.steps[1]', 15],
  ['spec.steps[1].apply', 15],
  ['spec.steps[1].apply[0]', 16],
  ['spec.steps[1].apply[0].addresses[0]', 10],
  ['spec.steps[1].apply[1].spec', 18],
  ['spec.steps[1].apply[1].spec.type', 19],
  ['spec.steps[1].apply[1].spec.ports[1]', 21],
  ['spec.steps[x]', 13],
  ['....[', 3],
]

test.each(fields)('the field %j is on line %i', (path, line) => {
  const [read] = parseManifests(`---\n${scenario}`, 'f')
  expect(read?.ok && read.manifest.lineOf(path)).toBe(line)
})

test('fields of an item of a list, in JSON', () => {
  const item = { kind: 'T', spec: { a: [1, 2] } }
  const text = JSON.stringify(
    { apiVersion: 'v1', kind: 'List', items: [item, { apiVersion: 'v1', ...item }] },
    null,
    1,
  )
  const second = parseManifests(text, 'f')[1]
  const line = text.slice(0, text.lastIndexOf('2')).split('\n').length
  expect(second?.ok && second.manifest.lineOf('spec.a[1]')).toBe(line)
})

const bit = fc.constantFrom(
  ...[
    'apiVersion: v1\n',
    'kind: T\n',
    'kind: List\nitems:\n',
    '- ',
    '  ',
    '\n',
    ': ',
    'a',
    '&a ',
    '*a',
  ],
  ...[
    '<<: ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '|',
    '>',
    '#',
    '!!int ',
    '---\n',
    '...\n',
    '\t',
    '\0',
    '? ',
  ],
)
const yamlLike = fc.array(bit, { maxLength: 25 }).map((bits) => bits.join(''))

test('no text throws, and every line is one of the text', () => {
  fc.assert(
    fc.property(fc.oneof(yamlLike, fc.string({ unit: 'binary' })), fc.string(), (text, path) => {
      const lines = text.split('\n').length
      for (const read of parseManifests(text, 'f')) {
        const { line } = read.ok ? read.manifest.source : read.unreadable.source
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(lines)
        if (read.ok) expect(read.manifest.lineOf(path)).toBeLessThanOrEqual(lines)
      }
    }),
    { numRuns: 2000 },
  )
})

test('every truncation of a text is read or refused', () => {
  for (let length = 0; length <= scenario.length; length++) {
    expect(parseManifests(scenario.slice(0, length), 'f').length).toBeLessThanOrEqual(1)
  }
})

test('JSON is read as JSON.parse reads it', () => {
  const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 })
  fc.assert(
    fc.property(json, fc.constantFrom('', ' ', '\t'), (value, indent) => {
      const text = JSON.stringify({ apiVersion: 'v1', kind: 'T', value }, null, indent)
      const [read] = parseManifests(text, 'f')
      expect(read?.ok && JSON.stringify(read.manifest.json)).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})
