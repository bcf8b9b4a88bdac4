// What is the name of an address's Address object (R3)? IPv6 is spelt out: names allow no colon.
import { familyOf, type Ip, toBigInt } from './ip.ts'

export function nameOfAddress(ip: Ip): string {
  if (familyOf(ip) === 'IPv4') return ip
  const digits = toBigInt(ip).toString(16).padStart(32, '0')
  return (digits.match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, '')).join('-')
}
