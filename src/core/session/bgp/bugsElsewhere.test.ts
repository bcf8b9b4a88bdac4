// Proves that what has stopped other BGP programs costs this one an UPDATE, or a session at the most.
import { expect, test } from 'vitest'
import { fromHex } from '../../../../test/build/hex.ts'
import type { Ip } from '../../net/ip.ts'
import { encodeKeepalive, headerBytes, type MessageType } from '../../wire/bgp/header.ts'
import { decodeNotification } from '../../wire/bgp/notification.ts'
import { encodeOpen } from '../../wire/bgp/open.ts'
import type { SessionOptions } from './agreed.ts'
import type { Event } from './events.ts'
import { newSession, step } from './session.ts'

const asked: SessionOptions = {
  ...{ localAsn: 64512, peerAsn: 64513, families: ['IPv4', 'IPv6'], holdSeconds: 90 },
  ...{ keepaliveSeconds: undefined, retrySeconds: undefined, restartSeconds: undefined },
}
const message = (type: MessageType, body: Uint8Array): Event => ({ kind: 'message', type, body })
const theirOpen = (asn: number | undefined): Event => {
  const offered = { canRefresh: true, canRefreshEnhanced: true, canExtend: true }
  const capabilities = { families: ['IPv4', 'IPv6'] as const, asn, ...offered, restart: undefined }
  const ids = { asn: 64513, holdSeconds: 90, routerId: '10.0.0.1' as Ip }
  return message('OPEN', encodeOpen({ ...ids, capabilities }).subarray(headerBytes))
}
const opening: readonly Event[] = [
  { kind: 'start' },
  { kind: 'connected', routerId: '10.0.0.9' as Ip },
]
const established = (asn: number | undefined): readonly Event[] => [
  ...[...opening, theirOpen(asn), message('KEEPALIVE', encodeKeepalive().subarray(headerBytes))],
]

/** What the last of the events came to, in words. */
function outcome(events: readonly Event[]): string {
  let session = newSession(asked)
  let said: readonly string[] = []
  for (const event of events) {
    const [next, effects] = step(session, event)
    session = next
    said = effects.flatMap((effect) => {
      if (effect.kind === 'tolerated') return effect.errors
      if (effect.kind !== 'send' || effect.bytes[18] !== 3) return []
      const { code, subcode } = decodeNotification(effect.bytes.subarray(headerBytes))
      return [`NOTIFICATION ${code}/${subcode}`]
    })
  }
  return [session.state, ...said].join(': ')
}

const open = (parameters: string): string => `04 fc01 005a 0a000001 ${parameters}`

test.each([
  ['CVE-2022-40302: an option that is longer than all of them', '04 02ff 0104'],
  ['CVE-2022-40318: long options whose length is cut', 'ff ff 00'],
  ['CVE-2022-40318: a long option that ends before its length', 'ff ff 0002 02 00'],
  ['CVE-2022-43681: nothing behind the mark of long options', 'ff ff'],
  ['CVE-2022-43681: options that are not there', '06'],
  ['a capability that is longer than its option', '04 0202 01ff'],
])('%s', (_, parameters) => {
  const body = fromHex(open(parameters).replaceAll(' ', ''))
  expect(outcome([...opening, message('OPEN', body)])).toBe('Active: NOTIFICATION 2/0')
})

const [origin, path, hop] = ['40010100', '400206 0201 0000fc01', '400304 0a000001'] as const
const good = `${origin} ${path} ${hop}`
const prefix = '20 0a320001'

function update(attributes: string, prefixes = prefix): string {
  const hex = attributes.replaceAll(' ', '')
  const length = (hex.length / 2).toString(16).padStart(4, '0')
  return `0000${length}${hex}${prefixes.replaceAll(' ', '')}`
}

test.each([
  [
    'CVE-2023-38406: flow specifications without one',
    update(`900e0005 0001 85 00 00 ${origin} ${path}`, ''),
    '',
  ],
  [
    'CVE-2023-38406: one of no length',
    update(`900e0006 0001 85 00 00 00 ${origin} ${path}`, ''),
    '',
  ],
  ['CVE-2023-38802: a broken Tunnel Encapsulation', update(`${good} e01704 000b00ff`), ''],
  [
    'CVE-2024-44070: a TLV that is longer than its attribute',
    update(`${good} c01706 ffff ff 00 00 00`),
    '',
  ],
  [
    'CVE-2026-37461: an IPv6 extended community that is cut',
    update(`${good} c01907 00020000000000`),
    '',
  ],
  ['CVE-2026-41643: AS4_PATH that cannot be read', update(`${good} c01103 020900`), ''],
  [
    'CVE-2026-30405: a NEXT_HOP of three octets',
    update(`${origin} ${path} 400303 0a0000`),
    'NEXT_HOP is malformed; NEXT_HOP is missing',
  ],
  [
    'VU#347067: an attribute that runs over the end of all',
    update(`${good} c008ff 0001`),
    'an attribute is longer than all of them',
  ],
  [
    'VU#347067: communities that are cut',
    update(`${good} c00803 fc0000`),
    'COMMUNITIES is malformed',
  ],
])('%s', (_, hex, tolerated) => {
  const told = tolerated === '' ? [] : tolerated.split('; ')
  const last = message('UPDATE', fromHex(hex))
  expect(outcome([...established(64513), last])).toBe(['Established', ...told].join(': '))
})

test.each([
  [
    'CVE-2023-46752: MP_REACH_NLRI that ends in its next hop',
    update('800e06 0002 01 10 fe80', ''),
    '3/9',
  ],
  ['CVE-2023-46752: MP_REACH_NLRI of no length', update('800e00', ''), '3/9'],
  ['CVE-2026-37462: more attributes than the message holds', '0000 00ff 40010100', '3/1'],
  ['CVE-2026-37462: withdrawn routes that leave no room', '0005 200a320001', '3/1'],
])('%s', (_, hex, code) => {
  const last = message('UPDATE', fromHex(hex.replaceAll(' ', '')))
  expect(outcome([...established(64513), last])).toBe(`Active: NOTIFICATION ${code}`)
})

test('CVE-2026-41643: AS4_PATH that cannot be read, of a peer with two octets', () => {
  const hex = update(`${origin} 400204 0201 fc01 ${hop} c01103 020900`)
  const last = message('UPDATE', fromHex(hex))
  expect(outcome([...established(undefined), last])).toBe('Established')
})

test('CVE-2024-55553: a table of any size leaves nothing behind', () => {
  let session = newSession(asked)
  for (const event of established(64513)) [session] = step(session, event)
  const before = session
  for (let at = 0; at < 10_000; at++) {
    const prefixes = `20 0a${at.toString(16).padStart(6, '0')}`
    ;[session] = step(session, message('UPDATE', fromHex(update(good, prefixes))))
  }
  expect(session).toBe(before)
})
