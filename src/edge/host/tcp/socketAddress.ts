// How does the kernel want addresses of sockets? As sockaddr_in and sockaddr_in6, ip(7), ipv6(7).
import { familyOf, type Ip } from '../../../core/net/ip.ts'
import { ipOctets } from '../../../core/net/octets.ts'

export const addressFamilies = { IPv4: 2, IPv6: 10 } as const

/** The host's order for the family, the network's for the rest. */
export function socketAddress(ip: Ip, port: number): Uint8Array {
  const family = familyOf(ip)
  const bytes = Buffer.alloc(family === 'IPv4' ? 16 : 28)
  bytes.writeUInt16LE(addressFamilies[family], 0)
  bytes.writeUInt16BE(port, 2)
  bytes.set(ipOctets(ip), family === 'IPv4' ? 4 : 8)
  return bytes
}
