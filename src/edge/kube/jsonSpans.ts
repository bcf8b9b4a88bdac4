// Where in a JSON text do some members of an object stand? Told without making values of it, which
// costs thirty times as much: what is too large to be validated is never parsed.

/** From the first byte of a value to behind its last. */
export type Span = { readonly from: number; readonly to: number }

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBrace, closeBrace, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Those of the names that the object has; empty where no object stands. The last of two counts. */
export function spansOf(
  bytes: Uint8Array,
  { from, to }: Span,
  names: readonly string[],
): ReadonlyMap<string, Span> {
  const found = new Map<string, Span>()
  let at = behindSpace(bytes, from)
  if (bytes[at] !== openBrace) return found
  at = behindSpace(bytes, at + 1)
  while (at < to && bytes[at] === quote) {
    const key = { from: at + 1, to: behindString(bytes, at) - 1 }
    at = behindSpace(bytes, key.to + 1)
    if (bytes[at] !== colon) break
    const value = behindSpace(bytes, at + 1)
    at = behindValue(bytes, value)
    const name = names.find((one) => isText(bytes, key, one))
    if (name !== undefined) found.set(name, { from: value, to: at })
    at = behindSpace(bytes, at)
    if (bytes[at] !== comma) break
    at = behindSpace(bytes, at + 1)
  }
  return found
}

function isText(bytes: Uint8Array, { from, to }: Span, text: string): boolean {
  if (to - from !== text.length) return false
  for (let at = 0; at < text.length; at++) {
    if (bytes[from + at] !== text.charCodeAt(at)) return false
  }
  return true
}

function behindSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++
  return at
}

function behindString(bytes: Uint8Array, from: number): number {
  let at = from + 1
  for (; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at + 1
  }
  return bytes.length
}

function behindValue(bytes: Uint8Array, from: number): number {
  let [at, depth] = [from, 0]
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === quote) {
      at = behindString(bytes, at)
      if (depth === 0) return at
      continue
    }
    if (byte === openBrace || byte === openList) depth++
    else if (byte === closeBrace || byte === closeList) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (byte === comma && depth === 0) return at
    at++
  }
  return bytes.length
}
