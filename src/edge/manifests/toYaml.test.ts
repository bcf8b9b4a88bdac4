import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseManifests } from './readManifests.ts'
import { toYaml } from './toYaml.ts'

test('looks as kubectl prints it', () => {
  const ports = [{ name: 'http', port: 80 }, { name: 'https' }]
  const text = 'name: no\n'
  expect(toYaml({ kind: 'Service', spec: { ports, ips: [], text, about: 'x '.repeat(99) } })).toBe(
    `kind: Service
spec:
  ports:
  - name: http
    port: 80
  - name: https
  ips: []
  text: |
    name: no
  about: '${'x '.repeat(99)}'
`,
  )
})

test('an object that occurs twice is written twice', () => {
  const shared = { a: 1 }
  expect(toYaml({ b: shared, c: shared })).toBe('b:\n  a: 1\nc:\n  a: 1\n')
})

const tricky = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'0123456789abxoXBO_+-.eE:~ \n\t#"\'') }),
  fc.constantFrom('no', 'Y', '~', '', '0X1F', '0b-1', '-0o7', '1_0.5e3', '2024-01-01', '<<', '='),
)

test('what is written is read back', () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      tricky,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.maxSafeInteger(),
      fc.constantFrom(true, false, null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(tricky, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  fc.assert(
    fc.property(value, (v) => {
      const object = { apiVersion: 'v1', kind: 'T', v }
      const [read] = parseManifests(toYaml(object), 'f')
      expect(read?.ok && JSON.stringify(read.manifest.json)).toBe(JSON.stringify(object))
    }),
    { numRuns: 2000 },
  )
})
