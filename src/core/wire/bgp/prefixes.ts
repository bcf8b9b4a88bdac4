// How do prefixes stand in an UPDATE? Length in bits, then the octets it takes, RFC 4271 §4.3.
import { bitsOf, type Family } from '../../net/ip.ts'
import { type Prefix, parsePrefix } from '../../net/range.ts'
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

/** Of one in canonical text; undefined where that is none. */
export function prefixOctets(text: string): Uint8Array | undefined {
  if (!text.includes(':')) return encodeFour(text)
  const prefix = parsePrefix(text)
  return prefix.ok ? encodePrefix(prefix.value) : undefined
}

/** Digit by digit: thousands of routes are told at once, and nearly all are of IPv4. */
function encodeFour(text: string): Uint8Array {
  const octets = [0, 0, 0, 0, 0]
  let [at, value] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48
    if (digit >= 0 && digit <= 9) value = value * 10 + digit
    else {
      octets[at++] = value
      value = 0
    }
  }
  octets[4] = value
  const [first = 0, second = 0, third = 0, fourth = 0] = octets
  return Uint8Array.of(value, first, second, third, fourth).subarray(0, 1 + ((value + 7) >> 3))
}

function encodePrefix({ family, base, length }: Prefix): Uint8Array {
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
