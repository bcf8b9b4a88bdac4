// What is the Address object of an address called (R3)? IPv6 is written out: names hold no colon.
import { familyOf, type Ip, toBigInt } from './ip.ts'

export function nameOfAddress(ip: Ip): string {
  if (familyOf(ip) === 'IPv4') return ip
  const digits = toBigInt(ip).toString(16).padStart(32, '0')
  return (digits.match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, '')).join('-')
}
