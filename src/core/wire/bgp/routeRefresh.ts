// ROUTE-REFRESH, RFC 2918 §3; what begins and ends a refresh is RFC 7313 §3.2.
//   | AFI 2 | subtype 1 | SAFI 1 |
import type { Family } from '../../net/ip.ts'
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import { codeOf, familyBy } from './family.ts'
import { encodeMessage, headerBytes } from './header.ts'
import { type Read, refused } from './notice.ts'

const subtypes = ['request', 'begin', 'end'] as const
type RouteRefresh = {
  /** Undefined: of a family that nobody agreed on. */
  readonly family: Family | undefined
  /** Undefined: one that is not known, to be ignored. */
  readonly subtype: (typeof subtypes)[number] | undefined
}

/** A request of RFC 5291 is longer, and its subtype is that of a plain one. */
export function decodeRouteRefresh(body: Uint8Array): Read<RouteRefresh> {
  const r = new Reader(body)
  const [afi, subtype, safi] = [r.u16(), r.u8(), r.u8()]
  const isShort = r.overran
  const isLong = subtypes[subtype] !== 'request' && r.left > 0
  if (isShort || isLong) {
    const header = new Reader(encodeMessage('ROUTE-REFRESH', body)).bytes(headerBytes)
    return refused(7, 1, new Writer(32).bytes(header).bytes(body).done())
  }
  const family = familyBy({ afi, safi })
  return { ok: true, value: { family, subtype: subtypes[subtype] } }
}

export function encodeRouteRefresh(family: Family, subtype: (typeof subtypes)[number]): Uint8Array {
  const { afi, safi } = codeOf(family)
  const body = new Writer(4).u16(afi).u8(subtypes.indexOf(subtype)).u8(safi)
  return encodeMessage('ROUTE-REFRESH', body.done())
}
