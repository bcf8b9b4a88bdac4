// Through which address does a router reach this node? The session's own for its family; for the
// other one that of the same interface, where there is one.
import { type Family, familyOf, type Ip, toBigInt } from '../../../core/net/ip.ts'
import { isOfLink } from '../../../core/net/linkLocal.ts'
import { prefixAround, rangeOf } from '../../../core/net/range.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'

export type NextHops = Readonly<Partial<Record<Family, readonly Ip[]>>>

export function nextHopsOf(local: Ip, peer: Ip, own: readonly OwnAddress[]): NextHops {
  const here = own.filter((one) => interfaceOf(local, own) === one.interface)
  const globalOf = (family: Family) =>
    here.find(({ address }) => familyOf(address) === family && !isOfLink(address))?.address
  const ofLink = here.find(({ address }) => isOfLink(address))?.address
  const hasOwn = (family: Family) => familyOf(local) === family && !isOfLink(local)
  const four = hasOwn('IPv4') ? local : globalOf('IPv4')
  const six = hasOwn('IPv6') ? local : globalOf('IPv6')
  // The link-local address is of use only on the link (RFC 2545 §3).
  const beside = ofLink !== undefined && isOnLink(peer, here) ? [ofLink] : []
  const alone = isOfLink(local) ? [local] : []
  const hops = six === undefined ? alone : [six, ...beside]
  return { ...(four && { IPv4: [four] }), ...(hops.length > 0 && { IPv6: hops }) }
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

export const interfaceAddressOfLink = (name: string, own: readonly OwnAddress[]): Ip | undefined =>
  own.find((one) => one.interface === name && isOfLink(one.address))?.address
