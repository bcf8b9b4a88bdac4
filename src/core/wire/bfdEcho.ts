// BFD echo packet, RFC 5881 §4: a UDP datagram from us to ourselves, handed to the peer, so that
// what comes back has gone through its forwarding. Only the sender reads what is in it.
//   | Ethernet 14 | IPv4 20 | UDP 8 | discriminator 4 | number 4 |
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { ipFrom, ipOctets, macOctets } from '../net/octets.ts'
import { internetChecksum } from './checksum.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

type Echo = {
  readonly from: Mac
  /** The peer's. */
  readonly to: Mac
  readonly address: Ip
  readonly discriminator: number
  readonly number: number
}

const echoPort = 3785
const [ipType, udp, fullTtl] = [0x0800, 17, 255] as const
/** RFC 5881 §4 asks for one of the range of control packets. */
const sourcePort = 49_152
/** CS6, what routers give to routing protocols. */
const internetControl = 0xc0
const [ipBytes, udpBytes, dataBytes] = [20, 8, 8] as const

export function encodeEcho({ from, to, address, discriminator, number }: Echo): Uint8Array {
  const own = ipOctets(address)
  const header = new Writer(ipBytes)
    .u8(0x45)
    .u8(internetControl)
    .u16(ipBytes + udpBytes + dataBytes)
    .u32(0)
    .u8(fullTtl)
    .u8(udp)
    .u16(0)
    .bytes(own)
    .bytes(own)
  header.setU16(10, internetChecksum(header.done()))
  return new Writer(64)
    .bytes(macOctets(to))
    .bytes(macOctets(from))
    .u16(ipType)
    .bytes(header.done())
    .u16(sourcePort)
    .u16(echoPort)
    .u16(udpBytes + dataBytes)
    .u16(0)
    .u32(discriminator)
    .u32(number)
    .done()
}

/** Of one that came back over exactly one hop; undefined for anything else. */
export function decodeEcho(frame: Uint8Array): Pick<Echo, 'address' | 'discriminator'> | undefined {
  const r = new Reader(frame)
  r.bytes(12)
  const [type, version] = [r.u16(), r.u8()]
  r.bytes(7)
  const [ttl, protocol] = [r.u8(), r.u8()]
  r.bytes(2)
  const [source, address] = [ipFrom(r.bytes(4)), ipFrom(r.bytes(4))]
  r.bytes(2)
  const port = r.u16()
  r.bytes(4)
  const discriminator = r.u32()
  const isEcho = type === ipType && version === 0x45 && protocol === udp && port === echoPort
  const isOurs = source === address && ttl === fullTtl - 1
  return isEcho && isOurs && !r.overran ? { address, discriminator } : undefined
}
