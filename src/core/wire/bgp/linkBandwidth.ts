// Link bandwidth, an extended community of draft-ietf-idr-link-bandwidth: by which a router weighs
// the paths to one prefix.
//   | 0x00 or, where it stays inside the AS, 0x40 | 4 | AS 2 | bytes a second, IEEE 754 4 |
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import { asTrans } from './open.ts'

export type LinkBandwidth = {
  readonly asn: number
  readonly bytesPerSecond: number
  /** Whether routers of another AS may look at it. */
  readonly isTransitive: boolean
}

export const extendedBytes = 8
const [subtype, inside] = [4, 0x40] as const

export function encodeLinkBandwidth(given: LinkBandwidth): Uint8Array {
  const { asn, bytesPerSecond, isTransitive } = given
  const float = new Uint8Array(4)
  new DataView(float.buffer).setFloat32(0, bytesPerSecond)
  const writer = new Writer(extendedBytes).u8(isTransitive ? 0 : inside).u8(subtype)
  return writer
    .u16(asn > 0xffff ? asTrans : asn)
    .bytes(float)
    .done()
}

/** The first one among extended communities, if there is any. */
export function linkBandwidthIn(r: Reader): LinkBandwidth | undefined {
  while (r.left >= extendedBytes) {
    const one = new Reader(r.bytes(extendedBytes))
    const [type, sub, asn] = [one.u8(), one.u8(), one.u16()]
    if ((type & ~inside) !== 0 || sub !== subtype) continue
    const float = Uint8Array.from(one.bytes(4))
    const bytesPerSecond = new DataView(float.buffer).getFloat32(0)
    return { asn, bytesPerSecond, isTransitive: type === 0 }
  }
  return undefined
}
