// How do prefixes stand in an UPDATE? Length in bits, then the octets it takes, RFC 4271 §4.3.
import { bitsOf, type Family } from '../../net/ip.ts'
import type { Prefix } from '../../net/range.ts'
import type { Reader } from '../reader.ts'

/** All that is left; undefined where it cannot be read to its end (RFC 7606 §5.3). */
export function decodePrefixes(r: Reader, family: Family): readonly Prefix[] | undefined {
  const bits = bitsOf(family)
  const prefixes: Prefix[] = []
  while (r.left > 0) {
    const length = r.u8()
    if (length > bits) return undefined
    const octets = r.bytes((length + 7) >> 3)
    if (r.overran) return undefined
    let value = 0n
    for (const octet of octets) value = (value << 8n) | BigInt(octet)
    // Bits behind the length mean nothing, whatever they are.
    const spare = BigInt(octets.length * 8 - length)
    const base = ((value >> spare) << spare) << BigInt(bits - octets.length * 8)
    prefixes.push({ family, base, length })
  }
  return prefixes
}

export function encodePrefix({ family, base, length }: Prefix): Uint8Array {
  const size = (length + 7) >> 3
  const octets = new Uint8Array(1 + size)
  octets[0] = length
  let value = base >> BigInt(bitsOf(family) - size * 8)
  for (let at = size; at > 0; at--) {
    octets[at] = Number(value & 255n)
    value >>= 8n
  }
  return octets
}
