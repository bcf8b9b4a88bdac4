// How is an ARP request answered in a microsecond? By copying the differing fields into a prepared
// reply. The bytes equal those of `arpAnswer` in core/wire, which documents the frame.
import type { Mac } from '../../net/mac.ts'
import { macFrom } from '../../net/octets.ts'
import { encodeArp, noIp, noMac } from '../../wire/arp.ts'

export const arpAt = { senderMac: 22, senderIp: 28, targetIp: 38 } as const
const [frameBytes, headerAt, operationAt, targetMacAt] = [42, 12, 21, 32] as const
/** The EtherType, then Ethernet, IPv4, their lengths, and the high octet of the operation. */
const header = [8, 6, 0, 1, 8, 0, 6, 4, 0]

/** A request or reply from one host: answering a group MAC would address many. */
export function isArp(frame: Uint8Array): boolean {
  if (frame.length < frameBytes) return false
  for (let at = 0; at < header.length; at++) {
    if (frame[headerAt + at] !== header[at]) return false
  }
  const operation = frame[operationAt]
  return (operation === 1 || operation === 2) && isOfOne(frame, arpAt.senderMac)
}

/** A unicast MAC that is not all zeros. */
function isOfOne(frame: Uint8Array, at: number): boolean {
  if (((frame[at] ?? 1) & 1) === 1) return false
  for (let octet = 0; octet < 6; octet++) if (frame[at + octet] !== 0) return true
  return false
}

/**
 * A host asks who has an address, by broadcast or from us (M5.5). A host without an address asks
 * from 0.0.0.0 (RFC 5227); one that asks for its own address announces it; 127.0.0.0/8 and
 * everything from 224.0.0.0 on are not hosts.
 */
export function isArpQuestion(frame: Uint8Array, mac: Uint8Array): boolean {
  const first = frame[arpAt.senderIp] ?? 0
  if (frame[operationAt] !== 1 || first >= 224 || first === 127) return false
  return isFor(frame, mac) && !isAboutItself(frame)
}

/** A probe: the host asks before it uses the address. */
export const isArpProbe = (frame: Uint8Array): boolean =>
  frame[operationAt] === 1 && [0, 1, 2, 3].every((at) => frame[arpAt.senderIp + at] === 0)

function isFor(frame: Uint8Array, mac: Uint8Array): boolean {
  let [isToAll, isToUs] = [true, true]
  for (let at = 0; at < 6; at++) {
    if (frame[at] !== 0xff) isToAll = false
    if (frame[at] !== mac[at]) isToUs = false
  }
  return isToAll || isToUs
}

function isAboutItself(frame: Uint8Array): boolean {
  for (let at = 0; at < 4; at++) {
    if (frame[arpAt.senderIp + at] !== frame[arpAt.targetIp + at]) return false
  }
  return true
}

export const arpSender = (frame: Uint8Array): Mac =>
  macFrom(frame.subarray(arpAt.senderMac, arpAt.senderMac + 6))

export const newArpReply = (mac: Mac): Uint8Array =>
  encodeArp({
    destination: noMac,
    source: mac,
    operation: 'reply',
    senderMac: mac,
    senderIp: noIp,
    targetMac: noMac,
    targetIp: noIp,
  })

/** Valid until the next call. */
export function arpReply(reply: Uint8Array, asked: Uint8Array): Uint8Array {
  for (let at = 0; at < 6; at++) {
    const octet = asked[arpAt.senderMac + at] ?? 0
    reply[at] = octet
    reply[targetMacAt + at] = octet
  }
  for (let at = 0; at < 4; at++) {
    reply[arpAt.senderIp + at] = asked[arpAt.targetIp + at] ?? 0
    reply[arpAt.targetIp + at] = asked[arpAt.senderIp + at] ?? 0
  }
  return reply
}
