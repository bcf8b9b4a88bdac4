// ARP in an Ethernet frame, RFC 826; probes and announcements are RFC 5227 §1.1.
//   | destination 6 | source 6 | 0x0806 | htype 1 | ptype 0x0800 | 6 | 4 | operation |
//   | sender MAC 6  | sender address 4  | target MAC 6 | target address 4 |
import { counted } from '../../core/net/counted.ts'
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { ipFrom, ipOctets, macFrom, macOctets } from '../net/octets.ts'
import { type Decoded, malformed, Reader } from './reader.ts'
import { Writer } from './writer.ts'

export type Arp = {
  /** The destination of the Ethernet frame. */
  readonly destination: Mac
  readonly source: Mac
  readonly operation: 'request' | 'reply'
  readonly senderMac: Mac
  readonly senderIp: Ip
  readonly targetMac: Mac
  readonly targetIp: Ip
}

export const broadcastMac = 'ff:ff:ff:ff:ff:ff' as Mac
export const noMac = '00:00:00:00:00:00' as Mac
export const noIp = '0.0.0.0' as Ip
const [etherType, ethernet, internet] = [0x0806, 1, 0x0800] as const

export function decodeArp(frame: Uint8Array): Decoded<Arp> {
  const r = new Reader(frame)
  const [destination, source, type] = [macFrom(r.bytes(6)), macFrom(r.bytes(6)), r.u16()]
  const [hardware, protocol, macLength, ipLength] = [r.u16(), r.u16(), r.u8(), r.u8()]
  const code = r.u16()
  const [senderMac, senderIp] = [macFrom(r.bytes(6)), ipFrom(r.bytes(4))]
  const [targetMac, targetIp] = [macFrom(r.bytes(6)), ipFrom(r.bytes(4))]
  // The rest is padding.
  if (r.overran) return malformed(`cut at ${counted(frame.length, 'byte')}`)
  if (type !== etherType) return malformed(`type 0x${type.toString(16)}`)
  if (hardware !== ethernet || protocol !== internet || macLength !== 6 || ipLength !== 4) {
    return malformed('not about Ethernet and IPv4')
  }
  if (code !== 1 && code !== 2) return malformed(`operation ${code}`)
  const operation = code === 1 ? 'request' : 'reply'
  const value = {
    destination,
    source,
    operation,
    senderMac,
    senderIp,
    targetMac,
    targetIp,
  } as const
  return { ok: true, value }
}

export function encodeArp(arp: Arp): Uint8Array {
  return new Writer(42)
    .bytes(macOctets(arp.destination))
    .bytes(macOctets(arp.source))
    .u16(etherType)
    .u16(ethernet)
    .u16(internet)
    .u8(6)
    .u8(4)
    .u16(arp.operation === 'request' ? 1 : 2)
    .bytes(macOctets(arp.senderMac))
    .bytes(ipOctets(arp.senderIp))
    .bytes(macOctets(arp.targetMac))
    .bytes(ipOctets(arp.targetIp))
    .done()
}
