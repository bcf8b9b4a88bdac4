// How is a neighbour solicitation answered in a microsecond? By copying the differing fields into a
// prepared advertisement. The bytes equal those of `ndpAnswer` in core/wire, which documents the
// frame. Only the plainest solicitation takes this path: from a host, with its MAC as the only
// option or with none. The codec reads all others and refuses malformed ones.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { encodeNdp } from '../../wire/ndp.ts'

export const ndpAt = { source: 22, target: 62 } as const
const at = { destination: 38, type: 54, checksum: 56, option: 78, optionMac: 80 } as const
const [ipv6Bytes, bareBytes, optionBytes] = [16, 24, 8] as const
const icmpV6 = 58
/** Fixed octets: EtherType, ICMPv6, hop limit 255 (not routed), type and code. */
const fixed = [
  [12, 0x86],
  [13, 0xdd],
  [18, 0],
  [20, icmpV6],
  [21, 255],
  [at.type, 135],
  [at.type + 1, 0],
] as const

export function isPlainSolicitation(frame: Uint8Array): boolean {
  const length = frame[19] ?? 0
  if (length !== bareBytes && length !== bareBytes + optionBytes) return false
  if (frame.length < at.type + length || (frame[14] ?? 0) >> 4 !== 6) return false
  for (const [where, octet] of fixed) if (frame[where] !== octet) return false
  if (length > bareBytes && (frame[at.option] !== 1 || frame[at.option + 1] !== 1)) return false
  const isOfOne = ((frame[macAt(frame)] ?? 1) & 1) === 0
  return isOfOne && isHost(frame, ndpAt.source) && sumOf(frame) === 0xffff
}

/** The MAC of the asking host: from the option, otherwise from the Ethernet header. */
const macAt = (frame: Uint8Array): number => (frame[19] === bareBytes ? 6 : at.optionMac)

/** Starts with neither 00 nor ff: not `::`, not IPv4-mapped, not multicast. */
function isHost(frame: Uint8Array, from: number): boolean {
  const [first = 0, second = 0] = [frame[from], frame[from + 1]]
  return first !== 0xff && (first !== 0 || second !== 0)
}

export const newNdpReply = (mac: Mac): Uint8Array =>
  encodeNdp({
    kind: 'advertisement',
    destinationMac: mac,
    sourceMac: mac,
    destination: '::' as Ip,
    source: '::' as Ip,
    target: '::' as Ip,
    linkLayer: mac,
    isSolicited: true,
    isOverride: true,
  })

/** Valid until the next call. */
export function ndpReply(reply: Uint8Array, asked: Uint8Array): Uint8Array {
  const mac = macAt(asked)
  for (let octet = 0; octet < 6; octet++) reply[octet] = asked[mac + octet] ?? 0
  for (let octet = 0; octet < ipv6Bytes; octet++) {
    const target = asked[ndpAt.target + octet] ?? 0
    reply[ndpAt.source + octet] = target
    reply[ndpAt.target + octet] = target
    reply[at.destination + octet] = asked[ndpAt.source + octet] ?? 0
  }
  return setNdpChecksum(reply)
}

export function setNdpChecksum(frame: Uint8Array): Uint8Array {
  frame[at.checksum] = 0
  frame[at.checksum + 1] = 0
  const checksum = ~sumOf(frame) & 0xffff
  frame[at.checksum] = checksum >> 8
  frame[at.checksum + 1] = checksum & 0xff
  return frame
}

/** One's complement sum of addresses and message, and of length and protocol (RFC 8200 §8.1). */
function sumOf(frame: Uint8Array): number {
  const length = frame[19] ?? 0
  let sum = length + icmpV6
  for (let octet: number = ndpAt.source; octet < at.type + length; octet += 2) {
    sum += ((frame[octet] ?? 0) << 8) | (frame[octet + 1] ?? 0)
  }
  sum = (sum & 0xffff) + (sum >>> 16)
  return (sum & 0xffff) + (sum >>> 16)
}
