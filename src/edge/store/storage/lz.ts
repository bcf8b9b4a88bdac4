// How does JSON take less room? What came before is pointed at, as in a block of LZ4, and of what
// is new two digits share a byte, since half of all bytes are free for it in JSON. Node has better
// ways, but each call of zlib leaves behind what only a full collection of garbage finds: a list of
// 100,000 objects would leave 100 MB.

/** It takes three bytes to point at it, which hold six digits just as well. */
const leastMatch = 6
/** So far back it can be pointed. */
const reach = 0xffff
/** Left as they are, so that a match never has to be looked for beyond the end. */
const [tail, unmatched] = [12, 5]
const hashBits = 14
/** Where four bytes were last seen, plus one, by their hash. */
const seen = new Int32Array(1 << hashBits)
/** From `firstPair` on a hundred bytes are two digits each; bytes that mean themselves there stand
 * behind this mark and their number. */
const [firstPair, asTheyAre, mostInRun] = [0x80, 0xff, 255]
const [zero, nine] = [0x30, 0x39]
/** Up to so many a loop is faster than the call that copies them. */
const few = 48

let scratch = new Uint8Array(64 * 1024)
/** Of `scratch`. */
let used = 0

/** Each sequence: a byte with both lengths, what is new, how far back, how much is copied. */
export function compress(bytes: Uint8Array): Uint8Array {
  // At the worst every other byte needs a mark and a number.
  const most = bytes.length * 2 + Math.ceil(bytes.length / 255) + 16
  if (scratch.length < most) scratch = new Uint8Array(most)
  seen.fill(0)
  used = 0
  const end = bytes.length - tail
  let [at, literal] = [0, 0]
  while (at < end) {
    const four = fourAt(bytes, at)
    const slot = Math.imul(four, 2_654_435_761) >>> (32 - hashBits)
    const from = (seen[slot] ?? 0) - 1
    seen[slot] = at + 1
    const isNear = from >= 0 && at - from <= reach
    const length = isNear && fourAt(bytes, from) === four ? matchLength(bytes, from, at) : 0
    if (length < leastMatch) {
      at++
      continue
    }
    putNew(bytes, literal, at)
    putMatch(at - from, length - leastMatch)
    at += length
    literal = at
  }
  putNew(bytes, literal, bytes.length)
  const packed = scratch.slice(0, used)
  if (scratch.length > 1024 * 1024) scratch = new Uint8Array(64 * 1024)
  return packed
}

/** Where the first byte of the sequence is. */
let token = 0

function putNew(bytes: Uint8Array, from: number, end: number): void {
  token = used++
  scratch[token] = Math.min(end - from, 15) << 4
  putLength(end - from)
  const out = scratch
  let [at, to] = [from, used]
  while (at < end) {
    const byte = bytes[at] ?? 0
    const next = at + 1 < end ? (bytes[at + 1] ?? 0) : 0
    if (byte >= zero && byte <= nine && next >= zero && next <= nine) {
      out[to++] = firstPair + (byte - zero) * 10 + next - zero
      at += 2
    } else if (byte < firstPair) {
      out[to++] = byte
      at++
    } else {
      const count = runLength(bytes, at, end)
      out[to] = asTheyAre
      out[to + 1] = count
      out.set(bytes.subarray(at, at + count), to + 2)
      to += 2 + count
      at += count
    }
  }
  used = to
}

function putMatch(back: number, more: number): void {
  scratch[token] = (scratch[token] ?? 0) | Math.min(more, 15)
  scratch[used++] = back
  scratch[used++] = back >> 8
  putLength(more)
}

/** What of it is not in the first byte of the sequence. */
function putLength(length: number): void {
  if (length < 15) return
  let left = length - 15
  for (; left >= 255; left -= 255) scratch[used++] = 255
  scratch[used++] = left
}

/** Of those that are no ASCII. */
function runLength(bytes: Uint8Array, from: number, end: number): number {
  const most = Math.min(end, from + mostInRun)
  let at = from
  while (at < most && (bytes[at] ?? 0) >= firstPair) at++
  return at - from
}

const fourAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) |
  ((bytes[at + 1] ?? 0) << 8) |
  ((bytes[at + 2] ?? 0) << 16) |
  ((bytes[at + 3] ?? 0) << 24)

/** Of at least four bytes that are the same. */
function matchLength(bytes: Uint8Array, from: number, at: number): number {
  const most = bytes.length - unmatched - at
  let length = 4
  while (length < most && bytes[from + length] === bytes[at + length]) length++
  return length
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte - firstPair)
const tens = Uint8Array.from(pairs, (pair) => zero + Math.floor(pair / 10))
const ones = Uint8Array.from(pairs, (pair) => zero + (pair % 10))

/** Fills `bytes`; `packed` has to be what `compress` made of so many. */
export function decompress(packed: Uint8Array, bytes: Uint8Array): void {
  const end = packed.length
  let [at, to] = [0, 0]
  while (at < end) {
    const sequence = packed[at++] ?? 0
    let count = sequence >> 4
    if (count === 15) {
      for (let more = 255; more === 255; count += more) more = packed[at++] ?? 0
    }
    for (const stop = to + count; to < stop; ) {
      const byte = packed[at++] ?? 0
      if (byte < firstPair) bytes[to++] = byte
      else if (byte !== asTheyAre) {
        bytes[to] = tens[byte] ?? 0
        bytes[to + 1] = ones[byte] ?? 0
        to += 2
      } else {
        const run = packed[at++] ?? 0
        bytes.set(packed.subarray(at, at + run), to)
        at += run
        to += run
      }
    }
    if (at >= end) return
    const back = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8)
    at += 2
    let length = sequence & 15
    if (length === 15) {
      for (let more = 255; more === 255; length += more) more = packed[at++] ?? 0
    }
    length += leastMatch
    // One that reaches into itself repeats what it has just written.
    if (length > few && back >= length) bytes.copyWithin(to, to - back, to - back + length)
    else for (let next = to; next < to + length; next++) bytes[next] = bytes[next - back] ?? 0
    to += length
  }
}
