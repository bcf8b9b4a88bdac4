// Which capabilities does a speaker offer? RFC 5492; each is | code 1 | length 1 | value |.
//   1 multiprotocol (RFC 4760), 2 route refresh (2918), 5 extended next hop (8950),
//   6 extended message (8654),
//   64 graceful restart (4724, 8538), 65 four-octet AS numbers (6793),
//   70 enhanced route refresh (7313), 71 long-lived graceful restart (9494)
import type { Family } from '../../net/ip.ts'
import type { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import { codeOf, familyBy } from './family.ts'

/** | R 1 bit, N 1 bit, 2 bits, seconds 12 bits | AFI 2, SAFI 1, F 1 bit, 7 bits | ... */
export type Restart = {
  /** Whether this is its first session since it has been away. */
  readonly isRestarting: boolean
  /** Whether routes are kept after a NOTIFICATION too, unless that is a Hard Reset. */
  readonly survivesNotice: boolean
  /** How long to wait for it. */
  readonly seconds: number
  /** Those that it forwards packets of meanwhile. */
  readonly forwards: readonly Family[]
}

export type Capabilities = {
  /**
   * In the order in which they are offered; those that are not ours are left out. Undefined: it
   * speaks of none, so of IPv4 alone.
   */
  readonly families: readonly Family[] | undefined
  /** Undefined: it speaks of AS numbers in two octets. */
  readonly asn: number | undefined
  readonly canRefresh: boolean
  readonly canRefreshEnhanced: boolean
  readonly canExtend: boolean
  /** Whether routes of IPv4 may have a next hop of IPv6. */
  readonly canHopBySix?: true
  /** Undefined: routes are not kept when a session ends. */
  readonly restart: Restart | undefined
  /**
   * How many seconds its routes may stay beyond that, as a last choice; 0: it only keeps those of
   * others. Absent: it does neither.
   */
  readonly staleSeconds?: number
  /** Codes of all others, in order. */
  readonly others: readonly number[]
}

const [multiprotocol, refresh, nextHop, extended] = [1, 2, 5, 6] as const
const [graceful, fourOctets, enhanced, longLived] = [64, 65, 70, 71] as const
const known: readonly number[] = [
  ...[multiprotocol, refresh, nextHop, extended, graceful, fourOctets, enhanced, longLived],
]
const [restartBit, noticeBit, mostSeconds] = [0x8000, 0x4000, 0xfff] as const
const forwardingBit = 0x80

/** Undefined where a length contradicts what it is about, or what is there. */
export function decodeCapabilities(r: Reader): Capabilities | undefined {
  const families: Family[] = []
  const codes = new Set<number>()
  let asn: number | undefined
  let restart: Restart | undefined
  let staleSeconds: number | undefined
  let canHopBySix = false
  while (r.left > 0) {
    const code = r.u8()
    const value = r.within(r.u8())
    if (r.overran) return undefined
    codes.add(code)
    if (code === multiprotocol) {
      const [afi, , safi] = [value.u16(), value.u8(), value.u8()]
      const family = familyBy({ afi, safi })
      if (family !== undefined && !families.includes(family)) families.push(family)
    } else if (code === fourOctets) asn = value.u32()
    else if (code === graceful) restart = decodeRestart(value)
    else if (code === longLived) staleSeconds = decodeStale(value)
    else if (code === nextHop) canHopBySix = hopsBySix(value)
    if (value.overran) return undefined
  }
  return {
    families: codes.has(multiprotocol) ? families : undefined,
    asn,
    canRefresh: codes.has(refresh),
    canRefreshEnhanced: codes.has(enhanced),
    canExtend: codes.has(extended),
    ...(canHopBySix && { canHopBySix }),
    restart,
    // Without the other one it is ignored (RFC 9494 §4.1).
    ...(restart !== undefined && staleSeconds !== undefined && { staleSeconds }),
    others: [...codes].filter((code) => !known.includes(code)).sort((a, b) => a - b),
  }
}

/** | AFI 2, SAFI 2 of the routes, AFI 2 of the next hop | ... */
function hopsBySix(r: Reader): boolean {
  let isSo = false
  while (r.left >= 6) {
    const [afi, safi, hop] = [r.u16(), r.u16(), r.u16()]
    if (familyBy({ afi, safi }) === 'IPv4' && hop === codeOf('IPv6').afi) isSo = true
  }
  return isSo
}

function decodeRestart(r: Reader): Restart {
  const first = r.u16()
  const forwards: Family[] = []
  while (r.left >= 4) {
    const [afi, safi, flags] = [r.u16(), r.u8(), r.u8()]
    const family = familyBy({ afi, safi })
    if (family !== undefined && (flags & forwardingBit) !== 0) forwards.push(family)
  }
  return {
    isRestarting: (first & restartBit) !== 0,
    survivesNotice: (first & noticeBit) !== 0,
    seconds: first & mostSeconds,
    forwards,
  }
}

/** | AFI 2, SAFI 1, F 1 bit, 7 bits, seconds 3 | ...; of our families the longest. */
function decodeStale(r: Reader): number {
  let longest = 0
  while (r.left >= 7) {
    const [afi, safi, , high, low] = [r.u16(), r.u8(), r.u8(), r.u8(), r.u16()]
    const isOurs = familyBy({ afi, safi }) !== undefined
    if (isOurs) longest = Math.max(longest, high * 0x10000 + low)
  }
  return longest
}

function encodeStale(seconds: number, families: readonly Family[]): Uint8Array {
  const writer = new Writer(16)
  for (const family of families) {
    const { afi, safi } = codeOf(family)
    writer.u16(afi).u8(safi).u8(forwardingBit)
    writer.u8(seconds >>> 16).u16(seconds & 0xffff)
  }
  return writer.done()
}

function encodeRestart({ isRestarting, survivesNotice, seconds, forwards }: Restart): Uint8Array {
  const bits = (isRestarting ? restartBit : 0) | (survivesNotice ? noticeBit : 0)
  const writer = new Writer(16).u16(bits | Math.min(seconds, mostSeconds))
  for (const family of forwards) {
    const { afi, safi } = codeOf(family)
    writer.u16(afi).u8(safi).u8(forwardingBit)
  }
  return writer.done()
}

export function encodeCapabilities(offered: Omit<Capabilities, 'others'>): Uint8Array {
  const { families = [], asn, canRefresh, canRefreshEnhanced, canExtend, canHopBySix } = offered
  const { restart, staleSeconds } = offered
  const writer = new Writer(32)
  for (const family of families) {
    const { afi, safi } = codeOf(family)
    writer.u8(multiprotocol).u8(4).u16(afi).u8(0).u8(safi)
  }
  if (canRefresh) writer.u8(refresh).u8(0)
  if (canHopBySix) {
    const { afi, safi } = codeOf('IPv4')
    writer.u8(nextHop).u8(6).u16(afi).u16(safi).u16(codeOf('IPv6').afi)
  }
  if (canExtend) writer.u8(extended).u8(0)
  if (restart !== undefined) {
    const value = encodeRestart(restart)
    writer.u8(graceful).u8(value.length).bytes(value)
  }
  if (asn !== undefined) writer.u8(fourOctets).u8(4).u32(asn)
  if (canRefreshEnhanced) writer.u8(enhanced).u8(0)
  if (restart !== undefined && staleSeconds !== undefined) {
    const value = encodeStale(staleSeconds, families)
    writer.u8(longLived).u8(value.length).bytes(value)
  }
  return writer.done()
}
