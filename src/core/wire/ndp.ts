// Neighbour discovery in an Ethernet frame: solicitations and advertisements, RFC 4861 §4.3, §4.4;
// the refusals are §7.1.1 and §7.1.2.
//   | Ethernet 14 | IPv6 40, hop limit 255 | type | code 0 | checksum | R S O 29 bits | target 16 |
//   | options: type, length in 8 octets, value |
import { counted } from '../../core/net/counted.ts'
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { ipFrom, ipOctets, macFrom, macOctets } from '../net/octets.ts'
import {
  encodeIcmpV6,
  icmpAt,
  icmpChecksum,
  icmpV6,
  ipv6EtherType,
  neighbourHops,
} from './icmpV6.ts'
import { type Decoded, malformed, Reader } from './reader.ts'
import { Writer } from './writer.ts'

export type Ndp = {
  /** The destination of the Ethernet frame. */
  readonly destinationMac: Mac
  readonly sourceMac: Mac
  readonly destination: Ip
  /** `::` for a host without an address. */
  readonly source: Ip
  readonly target: Ip
  /** Of the source in a solicitation, of the target in an advertisement; often absent. */
  readonly linkLayer: Mac | undefined
} & (
  | { readonly kind: 'solicitation' }
  | { readonly kind: 'advertisement'; readonly isSolicited: boolean; readonly isOverride: boolean }
)

const [solicitationType, advertisementType] = [135, 136] as const
const [sourceOption, targetOption] = [1, 2] as const
export const unspecified = '::' as Ip
export const allNodes = 'ff02::1' as Ip

export function decodeNdp(frame: Uint8Array): Decoded<Ndp> {
  const r = new Reader(frame)
  const [destinationMac, sourceMac, ether] = [macFrom(r.bytes(6)), macFrom(r.bytes(6)), r.u16()]
  const [version, length, next, hops] = [r.u32() >>> 28, r.u16(), r.u8(), r.u8()]
  const [from, to] = [r.bytes(16), r.bytes(16)]
  const body = frame.subarray(icmpAt, icmpAt + length)
  const message = r.within(length)
  const [type, code] = [message.u8(), message.u8()]
  message.u16()
  const flags = message.u32()
  const target = message.bytes(16)
  if (r.overran || message.overran) return malformed(`cut at ${counted(frame.length, 'byte')}`)
  if (ether !== ipv6EtherType || version !== 6 || next !== icmpV6) return malformed('not ICMPv6')
  if (type !== solicitationType && type !== advertisementType) return malformed(`type ${type}`)
  if (hops !== neighbourHops) return malformed(`hop limit ${hops}: it came through a router`)
  if (code !== 0) return malformed(`code ${code}`)
  if (icmpChecksum(from, to, body) !== 0) return malformed('wrong checksum')
  if (target[0] === 0xff) return malformed('multicast target')
  if ([from, to, target].some(isMapped)) return malformed('an IPv4 address')
  const options = linkLayerIn(message, type === solicitationType ? sourceOption : targetOption)
  if (!options.ok) return options
  const linkLayer = options.value
  const [source, destination] = [ipFrom(from), ipFrom(to)]
  const why = contradiction({ type, flags, source, to, linkLayer })
  if (why !== undefined) return malformed(why)
  const common = {
    destinationMac,
    sourceMac,
    destination,
    source,
    target: ipFrom(target),
    linkLayer,
  }
  if (type === solicitationType) return { ok: true, value: { ...common, kind: 'solicitation' } }
  const [isSolicited, isOverride] = [(flags & 0x4000_0000) !== 0, (flags & 0x2000_0000) !== 0]
  return { ok: true, value: { ...common, kind: 'advertisement', isSolicited, isOverride } }
}

type Said = {
  readonly type: number
  readonly flags: number
  readonly source: Ip
  readonly to: Uint8Array
  readonly linkLayer: Mac | undefined
}

function contradiction({ type, flags, source, to, linkLayer }: Said): string | undefined {
  const isToGroup = to[0] === 0xff
  if (type === advertisementType) {
    const isSolicited = (flags & 0x4000_0000) !== 0
    return isToGroup && isSolicited ? 'solicited, but to a group' : undefined
  }
  if (source !== unspecified) return undefined
  if (!isSolicitedNode(to)) return 'no source address, and not to a solicited-node group'
  return linkLayer === undefined ? undefined : 'no source address, but its link-layer address'
}

/** ff02::1:ff00:0/104. */
const groupPrefix = [0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff]
/** ::ffff:0:0/96 never appears on a link, and we do not treat it as IPv6. */
const isMapped = (octets: Uint8Array): boolean =>
  octets.subarray(0, 10).every((octet) => octet === 0) && octets[10] === 0xff && octets[11] === 0xff

const isSolicitedNode = (octets: Uint8Array): boolean =>
  groupPrefix.every((octet, at) => octets[at] === octet)

export const solicitedNode = (ip: Ip): Ip =>
  ipFrom(Uint8Array.from([...groupPrefix, ...ipOctets(ip).subarray(13)]))

/** RFC 2464 §7. */
export const groupMac = (group: Ip): Mac =>
  macFrom(Uint8Array.from([0x33, 0x33, ...ipOctets(group).subarray(12)]))

function linkLayerIn(message: Reader, wanted: number): Decoded<Mac | undefined> {
  let found: Mac | undefined
  while (message.left > 0) {
    const [type, length] = [message.u8(), message.u8()]
    if (length === 0) return malformed('option of length 0')
    const value = message.within(length * 8 - 2)
    if (message.overran) return malformed('truncated option')
    if (type === wanted && length === 1) found = macFrom(value.bytes(6))
  }
  return { ok: true, value: found }
}

export function encodeNdp(ndp: Ndp): Uint8Array {
  const body = new Writer(32)
    .u8(ndp.kind === 'solicitation' ? solicitationType : advertisementType)
    .u8(0)
    .u16(0)
    .u32(flagsOf(ndp))
    .bytes(ipOctets(ndp.target))
  if (ndp.linkLayer !== undefined) {
    const option = ndp.kind === 'solicitation' ? sourceOption : targetOption
    body.u8(option).u8(1).bytes(macOctets(ndp.linkLayer))
  }
  return encodeIcmpV6(ndp, body)
}

function flagsOf(ndp: Ndp): number {
  if (ndp.kind === 'solicitation') return 0
  return (ndp.isSolicited ? 0x4000_0000 : 0) + (ndp.isOverride ? 0x2000_0000 : 0)
}
