// How do bytes that repeat themselves take less room? What came before is pointed at, as in a block
// of LZ4. Node has better ways, but each call of zlib leaves behind what only a full collection of
// garbage finds: a list of 100,000 objects would leave 100 MB.

const leastMatch = 4
/** So far back it can be pointed. */
const reach = 0xffff
/** Left as they are, so that a match never has to be looked for beyond the end. */
const tail = 12
const hashBits = 13
/** Where four bytes were last seen, plus one, by their hash. */
const seen = new Int32Array(1 << hashBits)
let scratch = new Uint8Array(64 * 1024)

/** Each sequence: a byte with both lengths, bytes as they are, how far back, how much is copied. */
export function compress(bytes: Uint8Array): Uint8Array {
  const most = bytes.length + Math.ceil(bytes.length / 255) + 16
  if (scratch.length < most) scratch = new Uint8Array(most)
  seen.fill(0)
  let [at, literal, used] = [0, 0, 0]
  while (at < bytes.length - tail) {
    const slot = Math.imul(fourAt(bytes, at), 2_654_435_761) >>> (32 - hashBits)
    const from = (seen[slot] ?? 0) - 1
    seen[slot] = at + 1
    const isMatch = from >= 0 && at - from <= reach && fourAt(bytes, from) === fourAt(bytes, at)
    if (isMatch) {
      const length = matchLength(bytes, from, at)
      used = putSequence(bytes.subarray(literal, at), length, used)
      used = putBytes(used, at - from, (at - from) >> 8)
      if (length - leastMatch >= 15) used = putLength(length - leastMatch - 15, used)
      at += length
      literal = at
    } else at += 1
  }
  return scratch.slice(0, putSequence(bytes.subarray(literal), leastMatch, used))
}

/** It has to be what `compress` made of so many bytes. */
export function decompress(packed: Uint8Array, lengthBytes: number): Uint8Array {
  const bytes = new Uint8Array(lengthBytes)
  let [at, used] = [0, 0]
  const lengthFrom = (short: number): number => {
    if (short < 15) return short
    let length = short
    for (let more = 255; more === 255; length += more) more = packed[at++] ?? 0
    return length
  }
  while (at < packed.length) {
    const token = packed[at++] ?? 0
    const literals = lengthFrom(token >> 4)
    for (const end = at + literals; at < end; ) bytes[used++] = packed[at++] ?? 0
    if (at >= packed.length) break
    const back = (packed[at++] ?? 0) | ((packed[at++] ?? 0) << 8)
    const length = lengthFrom(token & 15) + leastMatch
    for (const end = used + length; used < end; used++) bytes[used] = bytes[used - back] ?? 0
  }
  return bytes
}

const fourAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) |
  ((bytes[at + 1] ?? 0) << 8) |
  ((bytes[at + 2] ?? 0) << 16) |
  ((bytes[at + 3] ?? 0) << 24)

function matchLength(bytes: Uint8Array, from: number, at: number): number {
  let length = leastMatch
  const most = bytes.length - 5 - at
  while (length < most && bytes[from + length] === bytes[at + length]) length++
  return length
}

/** Answers where it goes on. */
function putSequence(literals: Uint8Array, match: number, used: number): number {
  const [long, rest] = [Math.min(literals.length, 15), Math.min(match - leastMatch, 15)]
  scratch[used] = (long << 4) | rest
  const start = long === 15 ? putLength(literals.length - 15, used + 1) : used + 1
  scratch.set(literals, start)
  return start + literals.length
}

function putLength(length: number, used: number): number {
  let [left, end] = [length, used]
  for (; left >= 255; left -= 255) end = putBytes(end, 255)
  return putBytes(end, left)
}

function putBytes(used: number, ...bytes: readonly number[]): number {
  for (const [index, byte] of bytes.entries()) scratch[used + index] = byte
  return used + bytes.length
}
