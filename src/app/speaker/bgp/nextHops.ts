// Through which address does a router reach this node? The session's own for its family; for the
// other one that of the same interface, where there is one.
import { type Family, familyOf, type Ip, toBigInt } from '../../../core/net/ip.ts'
import { prefixAround, rangeOf } from '../../../core/net/range.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'

export type NextHops = Readonly<Partial<Record<Family, readonly Ip[]>>>

export function nextHopsOf(local: Ip, peer: Ip, own: readonly OwnAddress[]): NextHops {
  const here = own.filter((one) => interfaceOf(local, own) === one.interface)
  const other = familyOf(local) === 'IPv4' ? 'IPv6' : 'IPv4'
  const global = here.find(({ address }) => familyOf(address) === other && !isOfLink(address))
  const known = new Map([[familyOf(local), local]])
  if (global !== undefined) known.set(other, global.address)
  const [four, six] = [known.get('IPv4'), known.get('IPv6')]
  const ofLink = here.find(({ address }) => isOfLink(address))?.address
  // The address of the link is of use only to who is on it (RFC 2545 §3).
  const beside = ofLink !== undefined && isOnLink(peer, here) ? [ofLink] : []
  return { ...(four && { IPv4: [four] }), ...(six && { IPv6: [six, ...beside] }) }
}

/** '' where no interface has the address. */
export const interfaceOf = (ip: Ip, own: readonly OwnAddress[]): string =>
  own.find(({ address }) => address === ip)?.interface ?? ''

export const isOnLink = (ip: Ip, own: readonly OwnAddress[]): boolean =>
  own.some(({ address, prefixLength }) => {
    if (familyOf(address) !== familyOf(ip)) return false
    const { first, last } = rangeOf(prefixAround(address, prefixLength))
    const value = toBigInt(ip)
    return first <= value && value <= last
  })

const isOfLink = (ip: Ip): boolean => familyOf(ip) === 'IPv6' && toBigInt(ip) >> 118n === 0x3fan
