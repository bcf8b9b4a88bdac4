// How are addresses encoded on the wire? As octets in network order.
import { familyOf, fromBigInt, type Ip, toBigInt } from './ip.ts'
import type { Mac } from './mac.ts'

export function ipOctets(ip: Ip): Uint8Array {
  let value = toBigInt(ip)
  if (familyOf(ip) === 'IPv4') {
    const four = Number(value)
    return Uint8Array.of(four >>> 24, four >>> 16, four >>> 8, four)
  }
  const octets = new Uint8Array(16)
  for (let at = 15; at >= 0; at--) {
    octets[at] = Number(value & 255n)
    value >>= 8n
  }
  return octets
}

/** From 4 or 16 octets; an IPv4-mapped address becomes an IPv4 address. */
export function ipFrom(octets: Uint8Array): Ip {
  let value = 0n
  for (const octet of octets) value = (value << 8n) | BigInt(octet)
  return fromBigInt(octets.length === 4 ? 'IPv4' : 'IPv6', value)
}

export const macOctets = (mac: Mac): Uint8Array =>
  Uint8Array.from(mac.split(':'), (pair) => Number.parseInt(pair, 16))

export function macFrom(octets: Uint8Array): Mac {
  let text = ''
  for (const octet of octets) text += `${text === '' ? '' : ':'}${hex[octet]}`
  return text as Mac
}

const hex = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'))
