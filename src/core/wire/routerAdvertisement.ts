// Router advertisements and solicitations, RFC 4861 §4.1, §4.2; the refusals are §6.1.2. Routers
// that speak BGP without addresses find each other by them.
//   advertisement: | 134 | code 0 | checksum | hop limit 1 | flags 1 | lifetime 2 | 4 | 4 | options
//   solicitation:  | type 133 | code 0 | checksum | 4 | options
import { counted } from '../net/counted.ts'
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { ipFrom, macOctets } from '../net/octets.ts'
import { encodeIcmpV6, icmpAt, icmpChecksum, neighbourHops } from './icmpV6.ts'
import { allNodes, groupMac } from './ndp.ts'
import { type Decoded, malformed, Reader } from './reader.ts'
import { Writer } from './writer.ts'

type Neighbour = { readonly mac: Mac; readonly address: Ip }

const [solicitationType, advertisementType, sourceOption] = [133, 134, 1] as const
const allRouters = 'ff02::2' as Ip

/** Of one who is nobody's way out: the lifetime is 0. */
export const encodeAdvertisement = (own: Neighbour): Uint8Array =>
  framed(own, allNodes, new Writer(24).u8(advertisementType).u8(0).u16(0).u32(0).u32(0).u32(0))

/** A router that hears it advertises itself at once. */
export const encodeSolicitation = (own: Neighbour): Uint8Array =>
  framed(own, allRouters, new Writer(16).u8(solicitationType).u8(0).u16(0).u32(0))

function framed({ mac, address }: Neighbour, destination: Ip, body: Writer): Uint8Array {
  const between = {
    ...{ sourceMac: mac, source: address },
    ...{ destinationMac: groupMac(destination), destination },
  }
  return encodeIcmpV6(between, body.u8(sourceOption).u8(1).bytes(macOctets(mac)))
}

/** The router that advertises itself: its address on the link. */
export function decodeAdvertisement(frame: Uint8Array): Decoded<Ip> {
  const r = new Reader(frame)
  r.bytes(14)
  const [version, length, , hops] = [r.u32() >>> 28, r.u16(), r.u8(), r.u8()]
  const [from, to] = [r.bytes(16), r.bytes(16)]
  const body = frame.subarray(icmpAt, icmpAt + length)
  const message = r.within(length)
  const [type, code] = [message.u8(), message.u8()]
  message.bytes(14)
  if (r.overran || message.overran) return malformed(`cut at ${counted(frame.length, 'byte')}`)
  if (version !== 6 || type !== advertisementType) return malformed('no router advertisement')
  if (hops !== neighbourHops) return malformed(`hop limit ${hops}: it came through a router`)
  if (code !== 0) return malformed(`code ${code}`)
  if (icmpChecksum(from, to, body) !== 0) return malformed('wrong checksum')
  // fe80::/10
  if (from[0] !== 0xfe || ((from[1] ?? 0) & 0xc0) !== 0x80) return malformed('not of the link')
  return { ok: true, value: ipFrom(from) }
}
