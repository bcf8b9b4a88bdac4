// Proves that what routers sent to a node is read: their OPENs, and UPDATEs of two prefixes and of their ends.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { prefixTexts } from '../../../../test/build/bgpMessages.ts'
import { fromHex } from '../../../../test/build/hex.ts'
import { decodeOpen } from './open.ts'
import { decodeUpdate, type Update } from './update.ts'

type Sent = { readonly open: string; readonly updates: readonly string[] }

const file = new URL('../../../../test/bgp/captured/messages.json', import.meta.url)
const captured = Object.entries(
  JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Sent>>,
)
/** These two were not asked to announce anything. */
const isSilent = (router: string): boolean => /^(OpenBGPD|ExaBGP)/.test(router)

const read = (hex: string): Update => {
  const update = decodeUpdate(fromHex(hex), { asSize: 4, isInternal: false })
  if (!update.ok) throw new Error(`refused: ${JSON.stringify(update.notice)}`)
  return update.value
}

test.each(captured)('the OPEN of %s', (_, { open }) => {
  expect(decodeOpen(fromHex(open))).toMatchObject({
    ok: true,
    value: { asn: 64513, routerId: '10.77.0.1', capabilities: { families: ['IPv4', 'IPv6'] } },
  })
})

test.each(captured)('the UPDATEs of %s', (router, { updates }) => {
  const all = updates.map(read)
  expect(all.flatMap(({ errors, discarded }) => [...errors, ...discarded])).toEqual([])
  const wanted = isSilent(router) ? [] : ['2001:db8:7::/48', '203.0.113.0/24']
  expect(all.flatMap(({ announced }) => prefixTexts(announced)).toSorted()).toEqual(wanted)
  for (const { announced, attributes, nextHops } of all) {
    if (prefixTexts(announced).length === 0) continue
    expect(attributes.asPath).toEqual([{ type: 'sequence', asns: [64513] }])
    expect(attributes.nextHop ?? nextHops[0]).toMatch(/^(10\.77\.0\.1|fd77::1)$/)
  }
})

test.each(captured)('no piece of a message of %s is taken for more', (_, { open, updates }) => {
  const whole = fromHex(open)
  for (let length = 0; length < whole.length; length++) {
    expect(decodeOpen(whole.subarray(0, length)).ok).toBe(false)
  }
  for (const bytes of updates.map(fromHex)) {
    for (let length = 0; length < bytes.length; length++) {
      const piece = decodeUpdate(bytes.subarray(0, length), { asSize: 4, isInternal: false })
      const announced = piece.ok ? piece.value.announced : []
      // A shorter list of prefixes is a list of prefixes too.
      expect(prefixTexts(announced)).not.toContain('203.0.113.0/24')
    }
  }
})
