// How is JSON indented for people? By two spaces, with every token unchanged.

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [space, newline] = [0x20, 0x0a]

/**
 * The input has no space between tokens; a final line break is dropped. Undefined if it would be
 * longer than `most`: what is nested deeply has far more spaces than text.
 */
export function prettyJson(bytes: Uint8Array, most: number): Uint8Array | undefined {
  const out = new Growing(bytes.length * 2)
  let [depth, isText, isEscaped, isEmpty] = [0, false, false, false]
  for (const byte of bytes) {
    if (out.length > most) return undefined
    if (byte === newline) continue
    const isClosing = !isText && (byte === closeBrace || byte === closeBracket)
    if (isClosing) depth -= 1
    if (isClosing !== isEmpty) out.line(depth)
    out.put(byte)
    isEmpty = !isText && (byte === openBrace || byte === openBracket)
    if (isEmpty) depth += 1
    if (isText) {
      isText = isEscaped || byte !== quote
      isEscaped = !isEscaped && byte === backslash
    } else if (byte === quote) isText = true
    else if (byte === colon) out.put(space)
    else if (byte === comma) out.line(depth)
  }
  return out.length > most ? undefined : out.whole()
}

class Growing {
  #bytes: Uint8Array
  #used = 0

  constructor(lengthBytes: number) {
    this.#bytes = new Uint8Array(Math.max(lengthBytes, 64))
  }

  get length(): number {
    return this.#used
  }

  put(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#used] = byte
    this.#used += 1
  }

  line(depth: number): void {
    this.#reserve(1 + 2 * depth)
    this.#bytes[this.#used] = newline
    this.#bytes.fill(space, this.#used + 1, this.#used + 1 + 2 * depth)
    this.#used += 1 + 2 * depth
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#used)
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return
    const larger = new Uint8Array(2 * this.#bytes.length + more)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
