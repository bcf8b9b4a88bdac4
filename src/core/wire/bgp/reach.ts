// MP_REACH_NLRI and MP_UNREACH_NLRI, RFC 4760 §3 and §4; the next hops of IPv6 are RFC 2545 §3.
//   reach:   | AFI 2 | SAFI 1 | length 1 | next hop | reserved 1 | prefixes |
//   unreach: | AFI 2 | SAFI 1 | prefixes |
import type { Family, Ip } from '../../net/ip.ts'
import { ipFrom, ipOctets } from '../../net/octets.ts'
import type { Reader } from '../reader.ts'
import type { Writer } from '../writer.ts'
import { codeOf, familyBy } from './family.ts'
import { checkPrefixes, type PrefixBytes } from './prefixes.ts'

type Reach = {
  readonly family: Family
  /** The second one is of the link itself. */
  readonly nextHops: readonly Ip[]
  readonly prefixes: PrefixBytes
}
/** `other`: of a family that is not ours; `bad`: the session cannot go on (RFC 7606 §3 j). */
export type ReadReach = Reach | 'other' | 'bad'

/** IPv4 behind a next hop of IPv6 is RFC 8950; a mapped address comes out as an IPv4 one. */
const hopLengths: Readonly<Record<Family, readonly number[]>> = {
  IPv4: [4, 16, 32],
  IPv6: [16, 32],
}

export function decodeReach(r: Reader): ReadReach {
  const [afi, safi] = [r.u16(), r.u8()]
  const hop = r.within(r.u8())
  r.u8()
  if (r.overran) return 'bad'
  const family = familyBy({ afi, safi })
  if (family === undefined) return 'other'
  if (!hopLengths[family].includes(hop.left)) return 'bad'
  const size = hop.left === 4 ? 4 : 16
  const nextHops: Ip[] = []
  while (hop.left > 0) nextHops.push(ipFrom(hop.bytes(size)))
  const prefixes = checkPrefixes(r, family)
  return prefixes === undefined ? 'bad' : { family, nextHops, prefixes }
}

export function decodeUnreach(r: Reader): ReadReach {
  const [afi, safi] = [r.u16(), r.u8()]
  if (r.overran) return 'bad'
  const family = familyBy({ afi, safi })
  if (family === undefined) return 'other'
  const prefixes = checkPrefixes(r, family)
  return prefixes === undefined ? 'bad' : { family, nextHops: [], prefixes }
}

/** Everything before the prefixes. */
export function writeReachHead(w: Writer, family: Family, nextHops: readonly Ip[]): void {
  const { afi, safi } = codeOf(family)
  const hops = nextHops.map(ipOctets)
  w.u16(afi)
    .u8(safi)
    .u8(hops.reduce((sum, { length }) => sum + length, 0))
  for (const octets of hops) w.bytes(octets)
  w.u8(0)
}

export function writeUnreachHead(w: Writer, family: Family): void {
  const { afi, safi } = codeOf(family)
  w.u16(afi).u8(safi)
}
