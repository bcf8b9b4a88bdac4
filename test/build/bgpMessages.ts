// Which messages are these? Those of BGP that stand one behind the other, one by one, and their
// prefixes.
import { bitsOf } from '../../src/core/net/ip.ts'
import { type Prefix, prefixText } from '../../src/core/net/range.ts'
import type { PrefixBytes } from '../../src/core/wire/bgp/prefixes.ts'
import { Reader } from '../../src/core/wire/reader.ts'

/** Of an UPDATE: those that it announces, or those that it withdraws. */
export const prefixTexts = (all: readonly PrefixBytes[]): readonly string[] =>
  all.flatMap(prefixesIn).map(prefixText)

function prefixesIn({ family, bytes }: PrefixBytes): readonly Prefix[] {
  const bits = bitsOf(family)
  const r = new Reader(bytes)
  const prefixes: Prefix[] = []
  while (r.left > 0) {
    const length = r.u8()
    const octets = r.bytes((length + 7) >> 3)
    let value = 0n
    for (const octet of octets) value = (value << 8n) | BigInt(octet)
    // Bits behind the length mean nothing, whatever they are.
    const spare = BigInt(octets.length * 8 - length)
    const base = ((value >> spare) << spare) << BigInt(bits - octets.length * 8)
    prefixes.push({ family, base, length })
  }
  return prefixes
}

export function messagesIn(bytes: Uint8Array): readonly Uint8Array[] {
  const messages: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = ((bytes[at + 16] ?? 0) << 8) | (bytes[at + 17] ?? 0)
    if (length === 0) throw new Error(`no message at ${at}`)
    messages.push(bytes.subarray(at, at + length))
    at += length
  }
  return messages
}
