import { expect, test } from 'vitest'
import type { JsonObject } from '../../core/model/gate.ts'
import type { Bounds } from './tokenSecret.ts'
import { bearerOf, type Known, newToken } from './tokens.ts'

/** As the API keeps it: every text of stringData in base64. */
function kept({ stringData, ...secret }: JsonObject): JsonObject {
  const entries = Object.entries(stringData as Record<string, string>)
  const data = entries.map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  return { ...secret, data: Object.fromEntries(data) }
}
const knowing = (secretNamed: Known['secretNamed']): Known => ({
  ...{ secretNamed, uidOfNamespace: (name) => `uid of ${name}` },
})
const now = new Date('2026-01-01T00:00:00Z')

function bearer(bounds: Bounds, change: (text: string) => string = (text) => text) {
  const { text, secret } = newToken(bounds)
  const { name } = secret['metadata'] as { readonly name: string }
  const found = (asked: string) => (asked === name ? kept(secret) : undefined)
  return bearerOf(change(text), knowing(found), now)
}

test('without bounds it may do everything', () => {
  expect(bearer({ isReadOnly: false })).toMatchObject({ groups: ['system:masters'] })
})

test('bounds take that away', () => {
  expect(bearer({ isReadOnly: true })).toMatchObject({ groups: [], isReadOnly: true })
  const bound = bearer({
    ...{ isReadOnly: false, namespace: 'shop', namespaceUid: 'uid of shop' },
  })
  expect(bound).toMatchObject({ groups: [], isReadOnly: false, namespace: 'shop' })
})

test.each([
  ['another key', (text: string) => `${text.slice(0, -2)}AA`],
  ['no key', (text: string) => text.slice(0, text.indexOf('.'))],
  ['an id that nobody has', (text: string) => text.replace(/^berth-./, 'berth-x')],
  ['nothing', () => ''],
])('%s opens nothing', (_, change) => {
  expect(bearer({ isReadOnly: false }, change)).toBeUndefined()
})

test.each([
  ['2025-12-31T23:59:59Z', false],
  ['2026-01-01T00:00:01Z', true],
  ['some day', false],
])('until %s: %s', (until, isGood) => {
  expect(bearer({ isReadOnly: false, until }) !== undefined).toBe(isGood)
})

test('a Secret of another type is no token, whoever wrote it', () => {
  const { text, secret } = newToken({ isReadOnly: false })
  const opaque = knowing(() => ({ ...kept(secret), type: 'Opaque' }))
  expect(bearerOf(text, opaque, now)).toBeUndefined()
})
