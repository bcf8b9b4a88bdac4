// What arrives that nobody meant to send? Real objects and texts with something broken in them, and
// texts that are nearly addresses.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { type Json, recordAt } from '../../src/core/model/json.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'

const corpus = fileURLToPath(new URL('../conformance', import.meta.url))
const texts = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => readFileSync(`${corpus}/${file}`, 'utf8'))

const listAt = (json: unknown, key: string): unknown[] => {
  const list = recordAt({ json }, 'json')[key]
  return Array.isArray(list) ? list : []
}

/** Every object that a scenario gives or applies: all kinds, in all the forms that are known. */
const objects: readonly unknown[] = texts
  .flatMap((text) => parseManifests(text, 'corpus'))
  .flatMap((read) => (read.ok ? [recordAt(read.manifest.json, 'spec')] : []))
  .flatMap((spec) => [
    ...listAt(spec, 'given'),
    ...listAt(spec, 'steps').flatMap((step) => listAt(step, 'apply')),
  ])

type Damage = { readonly at: number; readonly value: unknown }

/** As JSON texts, so that each use is a value of its own. */
const strange = fc
  .oneof(
    fc.json({ maxDepth: 2 }),
    fc.constantFrom(
      '""',
      `"${'x'.repeat(5_000)}"`,
      '"null"',
      '"::"',
      '"\\u0000"',
      '[[[[]]]]',
      '{}',
    ),
    fc.constantFrom('-1', '0', '0.5', '1e21', '9007199254740992', '-0', 'null', 'true', '[]'),
    fc.constantFrom('"10.0.0.0/8"', '"::/0"', '"255.255.255.255/32"', '"10.0.0.9-10.0.0.1"'),
    fc.constantFrom('{"matchLabels":null}', '{"__proto__":{"a":1}}', '{"constructor":1,"":2}'),
  )
  .map((text): unknown => JSON.parse(text))
/** A value is put somewhere else, something else is put in its place, or it is gone. */
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  value: fc.oneof(strange, fc.constant(undefined)),
})

/** A real object in which some values were replaced or taken out. */
export const damaged: fc.Arbitrary<unknown> = fc
  .tuple(fc.nat(objects.length - 1), fc.array(damage, { maxLength: 4 }))
  .map(([index, damages]) => damages.reduce(hurt, structuredClone(objects[index])))

/** Real objects as they are, for what must come of them beside damaged ones. */
export const intact: fc.Arbitrary<Json> = fc
  .nat(objects.length - 1)
  .map((index) => ({ ...recordAt({ json: objects[index] }, 'json') }))

function hurt(json: unknown, { at, value }: Damage): unknown {
  const places: [holder: Json, key: string][] = []
  const visit = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null) return
    for (const [key, inner] of Object.entries(holder)) {
      places.push([holder as Json, key])
      visit(inner)
    }
  }
  visit(json)
  const place = places[at % Math.max(1, places.length)]
  if (place === undefined) return value
  const [holder, key] = place
  if (value === undefined) delete holder[key]
  else holder[key] = value
  return json
}

const tokens = [
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '<<: *a',
  '- ',
  ': ',
  '? ',
  '|2\n',
  '>-\n',
  '\t',
  '\n',
]
const odd = [
  '!!binary ',
  '!x ',
  '%YAML 1.1\n',
  '"',
  "'",
  '{',
  '[',
  ']',
  '}',
  '\r\n',
  '\ufeff',
  '\u0000',
]
const cut = fc.record({
  at: fc.nat(),
  length: fc.nat(40),
  text: fc.oneof(fc.constantFrom(...tokens, ...odd), fc.string({ maxLength: 8 })),
})

/** A part of a real file with something else in some places. */
export const scribbled: fc.Arbitrary<string> = fc
  .tuple(fc.nat(texts.length - 1), fc.nat(), fc.nat(600), fc.array(cut, { maxLength: 6 }))
  .map(([index, start, length, cuts]) => {
    const whole = texts[index] ?? ''
    const from = start % whole.length
    return cuts.reduce(
      (text, { at, length: gone, text: put }) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + put + text.slice(place + gone)
      },
      whole.slice(from, from + length),
    )
  })

const group = fc.oneof(fc.stringMatching(/^[0-9a-fA-F]{0,5}$/), fc.constantFrom('', '0', 'ffff'))
const octet = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '01', '1e2', '-1', ' 1'))
const quad = fc.array(octet, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'))
const groups = fc.array(group, { maxLength: 9 }).map((parts) => parts.join(':'))
const nearly = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  quad,
  groups,
  fc.tuple(groups, quad).map(([six, four]) => `${six}:${four}`),
  fc.stringMatching(/^[0-9a-f:.\-/% ]{0,45}$/),
)

/** Addresses, prefixes and ranges as they are written, nearly written, or not at all. */
export const addressText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: nearly, weight: 6 },
  fc
    .tuple(nearly, fc.oneof(fc.nat(140).map(String), fc.string({ maxLength: 3 })))
    .map(([ip, length]) => `${ip}/${length}`),
  fc.tuple(nearly, fc.constantFrom('-', ' - ', '--'), nearly).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
