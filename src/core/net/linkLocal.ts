// Is an address of a link alone? fe80::/10, which means nothing without an interface.
import { familyOf, type Ip, toBigInt } from './ip.ts'

export const isOfLink = (ip: Ip): boolean =>
  familyOf(ip) === 'IPv6' && toBigInt(ip) >> 118n === 0x3fan
