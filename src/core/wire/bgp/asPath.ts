// AS_PATH, RFC 4271 §5.1.2; AS numbers in two octets or four, RFC 6793.
//   | segment type 1 | count 1 | AS numbers |
import type { Reader } from '../reader.ts'
import type { Writer } from '../writer.ts'
import { asTrans } from './open.ts'

const segmentTypes = ['', 'set', 'sequence', 'confed-sequence', 'confed-set'] as const
export type Segment = {
  readonly type: Exclude<(typeof segmentTypes)[number], ''>
  readonly asns: readonly number[]
}
export type AsSize = 2 | 4

/** Undefined where a segment is unknown, empty or cut (RFC 7606 §7.2). */
export function decodeAsPath(r: Reader, size: AsSize): readonly Segment[] | undefined {
  const segments: Segment[] = []
  while (r.left > 0) {
    const type = segmentTypes[r.u8()]
    const inner = r.within(r.u8() * size)
    if (r.overran || type === undefined || type === '' || inner.left === 0) return undefined
    const asns: number[] = []
    while (inner.left > 0) asns.push(size === 2 ? inner.u16() : inner.u32())
    segments.push({ type, asns })
  }
  return segments
}

export const asPathBytes = (segments: readonly Segment[], size: AsSize): number =>
  segments.reduce((sum, { asns }) => sum + 2 + asns.length * size, 0)

export function writeAsPath(w: Writer, segments: readonly Segment[], size: AsSize): void {
  for (const { type, asns } of segments) {
    w.u8(segmentTypes.indexOf(type)).u8(asns.length)
    for (const asn of asns) {
      if (size === 4) w.u32(asn)
      else w.u16(asn > 0xffff ? asTrans : asn)
    }
  }
}
