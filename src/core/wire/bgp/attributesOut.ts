// Path attributes as bytes, RFC 4271 §4.3: in the order of their types, behind MP_REACH_NLRI.
//   | flags 1 | type 1 | length 1 or 2 | value |
import { ipOctets } from '../../net/octets.ts'
import type { Writer } from '../writer.ts'
import { type AsSize, asPathBytes, writeAsPath } from './asPath.ts'
import { type Attributes, origins } from './attributes.ts'
import { encodeLinkBandwidth, extendedBytes } from './linkBandwidth.ts'

/** Those that most routes to a peer have in common. */
export function writeCommon(w: Writer, attributes: Attributes, asSize: AsSize): void {
  const { origin, asPath, nextHop, med, localPref } = attributes
  if (origin !== undefined) begin(w, 1, 1).u8(origins.indexOf(origin))
  if (asPath !== undefined) writeAsPath(begin(w, 2, asPathBytes(asPath, asSize)), asPath, asSize)
  if (nextHop !== undefined) begin(w, 3, 4).bytes(ipOctets(nextHop))
  if (med !== undefined) begin(w, 4, 4).u32(med)
  if (localPref !== undefined) begin(w, 5, 4).u32(localPref)
}

/** Those behind them. */
export function writeMarks(w: Writer, attributes: Attributes, asSize: AsSize): void {
  const { asPath, communities, largeCommunities, bandwidth } = attributes
  if (communities !== undefined) {
    begin(w, 8, communities.length * 4)
    for (const community of communities) w.u32(community)
  }
  if (bandwidth !== undefined) begin(w, 16, extendedBytes).bytes(encodeLinkBandwidth(bandwidth))
  const isCut = asSize === 2 && asPath?.some(({ asns }) => asns.some((asn) => asn > 0xffff))
  // AS4_PATH: the numbers that the peer cannot read are for those behind it.
  if (isCut && asPath) writeAsPath(begin(w, as4Path, asPathBytes(asPath, 4)), asPath, 4)
  if (largeCommunities !== undefined) {
    begin(w, 32, largeCommunities.length * 12)
    for (const [one, two, three] of largeCommunities) w.u32(one).u32(two).u32(three)
  }
}

const as4Path = 17
const [optional, transitive, extended] = [0x80, 0x40, 0x10] as const
const both = optional | transitive
/** Of each type that is written. */
const flagsOf: Readonly<Record<number, number>> = {
  ...{ 1: transitive, 2: transitive, 3: transitive, 4: optional, 5: transitive },
  ...{ 8: both, 16: both, [as4Path]: both, 32: both },
}

function begin(w: Writer, type: number, length: number): Writer {
  const flags = flagsOf[type] ?? both
  return length > 255
    ? w
        .u8(flags | extended)
        .u8(type)
        .u16(length)
    : w.u8(flags).u8(type).u8(length)
}
