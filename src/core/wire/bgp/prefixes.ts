// How do prefixes stand in an UPDATE? Length in bits, then the octets it takes, RFC 4271 §4.3.
import { bitsOf, type Family } from '../../net/ip.ts'
import { type Prefix, parsePrefix } from '../../net/range.ts'
import type { Reader } from '../reader.ts'
import type { Writer } from '../writer.ts'

/** Of one message, checked and not read: a router may send a million that nobody wants. */
export type PrefixBytes = { readonly family: Family; readonly bytes: Uint8Array }

/** All that is left; undefined where it cannot be read to its end (RFC 7606 §5.3). */
export function checkPrefixes(r: Reader, family: Family): PrefixBytes | undefined {
  const bits = bitsOf(family)
  const bytes = r.rest()
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0
    at += 1 + ((length + 7) >> 3)
    if (length > bits || at > bytes.length) return undefined
  }
  r.bytes(bytes.length)
  return { family, bytes }
}

/** As many as fit before that place, which one does; where in the list to go on. */
export function writePrefixes(
  w: Writer,
  prefixes: readonly string[],
  { from, end }: { readonly from: number; readonly end: number },
): number {
  for (let at = from; at < prefixes.length; at++) {
    const before = w.length
    writePrefix(w, prefixes[at] ?? '')
    if (w.length > end && at > from) {
      w.cutTo(before)
      return at
    }
  }
  return prefixes.length
}

/** Of one in canonical text; nothing where that is none. */
function writePrefix(w: Writer, text: string): void {
  if (!text.includes(':')) {
    writeFour(w, text)
    return
  }
  const prefix = parsePrefix(text)
  if (prefix.ok) writeSix(w, prefix.value)
}

/** Digit by digit: thousands of routes are told at once, and nearly all are of IPv4. */
function writeFour(w: Writer, text: string): void {
  let [address, value] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48
    if (digit >= 0) value = value * 10 + digit
    else {
      address = (address << 8) | value
      value = 0
    }
  }
  w.u8(value)
  const size = (value + 7) >> 3
  for (let at = 0; at < size; at++) w.u8(address >>> (24 - 8 * at))
}

function writeSix(w: Writer, { base, length }: Prefix): void {
  const size = (length + 7) >> 3
  w.u8(length)
  for (let at = 0; at < size; at++) w.u8(Number((base >> BigInt(120 - 8 * at)) & 255n))
}
