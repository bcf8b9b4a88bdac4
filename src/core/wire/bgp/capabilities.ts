// Which capabilities does a speaker offer? RFC 5492; each is | code 1 | length 1 | value |.
//   1 multiprotocol (RFC 4760), 2 route refresh (2918), 6 extended message (8654),
//   65 four-octet AS numbers (6793), 70 enhanced route refresh (7313)
import type { Family } from '../../net/ip.ts'
import type { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import { codeOf, familyBy } from './family.ts'

export type Capabilities = {
  /** In the order in which they are offered; those that are not ours are left out. */
  readonly families: readonly Family[]
  /** Undefined: it speaks of AS numbers in two octets. */
  readonly asn: number | undefined
  readonly canRefresh: boolean
  readonly canRefreshEnhanced: boolean
  readonly canExtend: boolean
  /** Codes of all others, in order. */
  readonly others: readonly number[]
}

const [multiprotocol, refresh, extended, fourOctets, enhanced] = [1, 2, 6, 65, 70] as const
const known: readonly number[] = [multiprotocol, refresh, extended, fourOctets, enhanced]

/** Undefined where a length contradicts what it is about, or what is there. */
export function decodeCapabilities(r: Reader): Capabilities | undefined {
  const families: Family[] = []
  const codes = new Set<number>()
  let asn: number | undefined
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
    if (value.overran) return undefined
  }
  return {
    families,
    asn,
    canRefresh: codes.has(refresh),
    canRefreshEnhanced: codes.has(enhanced),
    canExtend: codes.has(extended),
    others: [...codes].filter((code) => !known.includes(code)).sort((a, b) => a - b),
  }
}

export function encodeCapabilities(offered: Omit<Capabilities, 'others'>): Uint8Array {
  const { families, asn, canRefresh, canRefreshEnhanced, canExtend } = offered
  const writer = new Writer(32)
  for (const family of families) {
    const { afi, safi } = codeOf(family)
    writer.u8(multiprotocol).u8(4).u16(afi).u8(0).u8(safi)
  }
  if (canRefresh) writer.u8(refresh).u8(0)
  if (canExtend) writer.u8(extended).u8(0)
  if (asn !== undefined) writer.u8(fourOctets).u8(4).u32(asn)
  if (canRefreshEnhanced) writer.u8(enhanced).u8(0)
  return writer.done()
}
