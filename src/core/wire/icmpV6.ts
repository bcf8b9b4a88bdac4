// ICMPv6 in an Ethernet frame, RFC 8200 and RFC 4443, as messages between neighbours go.
//   | Ethernet 14 | IPv6 40, hop limit 255 | type | code | checksum | ... |
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { ipOctets, macOctets } from '../net/octets.ts'
import { internetChecksum } from './checksum.ts'
import { Writer } from './writer.ts'

export const ipv6EtherType = 0x86dd
export const icmpV6 = 58
/** Whoever is behind a router cannot send it. */
export const neighbourHops = 255
const [headerBytes, ipBytes] = [14, 40] as const
export const icmpAt = headerBytes + ipBytes

type Between = {
  readonly destinationMac: Mac
  readonly sourceMac: Mac
  readonly destination: Ip
  readonly source: Ip
}

/** `body`: with a checksum of 0. */
export function encodeIcmpV6(between: Between, body: Writer): Uint8Array {
  const [from, to] = [ipOctets(between.source), ipOctets(between.destination)]
  body.setU16(2, icmpChecksum(from, to, body.done()))
  return new Writer(icmpAt + body.length)
    .bytes(macOctets(between.destinationMac))
    .bytes(macOctets(between.sourceMac))
    .u16(ipv6EtherType)
    .u32(0x6000_0000)
    .u16(body.length)
    .u8(icmpV6)
    .u8(neighbourHops)
    .bytes(from)
    .bytes(to)
    .bytes(body.done())
    .done()
}

/** With the pseudo-header of RFC 8200 §8.1; 0 for a message whose checksum is correct. */
export function icmpChecksum(from: Uint8Array, to: Uint8Array, body: Uint8Array): number {
  const pseudo = new Writer(40 + body.length).bytes(from).bytes(to).u32(body.length).u32(icmpV6)
  return internetChecksum(pseudo.bytes(body).done())
}
