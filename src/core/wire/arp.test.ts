import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex } from '../../../test/build/hex.ts'
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { ipFrom, macFrom } from '../net/octets.ts'
import { type Arp, broadcastMac, decodeArp, encodeArp } from './arp.ts'
import { arpAnnouncements, arpProbe } from './arpAnswers.ts'

// A request of Linux 6.18; arping pads its frame.
const asked = 'fffffffffffff6407c15990908060001080006040001f6407c159909c0000201000000000000c0000202'
const padded = `${asked}00000000000000000000000000000000`

const mac = '1a:15:03:c3:b1:2c' as Mac
const ip = '192.0.2.2' as Ip

const read = (hex: string): Arp => {
  const decoded = decodeArp(fromHex(hex))
  if (!decoded.ok) throw new Error(decoded.why)
  return decoded.value
}

test('a request from the kernel', () => {
  expect(read(asked)).toEqual({
    destination: broadcastMac,
    source: 'f6:40:7c:15:99:09',
    operation: 'request',
    senderMac: 'f6:40:7c:15:99:09',
    senderIp: '192.0.2.1',
    targetMac: '00:00:00:00:00:00',
    targetIp: ip,
  })
})

test('padding is ignored', () => {
  expect(read(padded)).toEqual(read(asked))
})

test('[M5.5] an announcement is a broadcast request and reply about itself', () => {
  const said = arpAnnouncements(ip, mac)
  expect(said.map(({ operation }) => operation)).toEqual(['request', 'reply'])
  for (const { senderIp, targetIp, destination } of said) {
    expect([senderIp, targetIp, destination]).toEqual([ip, ip, broadcastMac])
  }
})

test('a probe does not claim the address', () => {
  const probe = read(toHex(encodeArp(arpProbe(ip, mac))))
  expect(probe).toMatchObject({ operation: 'request', senderIp: '0.0.0.0', targetIp: ip })
})

test.each([
  ['another EtherType', asked.replace('0806', '0800'), 'type 0x800'],
  ['a VLAN tag', asked.replace('0806', '8100'), 'type 0x8100'],
  ['another hardware type', asked.replace('08060001', '08060006'), 'not about Ethernet and IPv4'],
  ['another address length', asked.replace('06040001', '06100001'), 'not about Ethernet and IPv4'],
  ['RARP', asked.replace('06040001', '06040003'), 'operation 3'],
])('%s is refused', (_, hex, why) => {
  expect(decodeArp(fromHex(hex))).toEqual({ ok: false, why })
})

test('every truncation is refused', () => {
  const whole = fromHex(asked)
  for (let length = 0; length < whole.length; length++) {
    expect(decodeArp(whole.subarray(0, length)).ok).toBe(false)
  }
})

const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const arps: fc.Arbitrary<Arp> = fc.record({
  destination: octets(6).map(macFrom),
  source: octets(6).map(macFrom),
  operation: fc.constantFrom('request', 'reply'),
  senderMac: octets(6).map(macFrom),
  senderIp: octets(4).map(ipFrom),
  targetMac: octets(6).map(macFrom),
  targetIp: octets(4).map(ipFrom),
})

test('an encoded frame decodes to itself', () => {
  const isSame = (arp: Arp) => void expect(read(toHex(encodeArp(arp)))).toEqual(arp)
  fc.assert(fc.property(arps, isSame))
})

test('no input throws', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void decodeArp(bytes)))
})
