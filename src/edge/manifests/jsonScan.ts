// Where does a JSON object end? Braces and strings only, a stretch of bytes at a time.

const [space, tab, lineFeed, carriageReturn] = [0x20, 0x09, 0x0a, 0x0d]
const [quote, backslash, openBrace, closeBrace] = [0x22, 0x5c, 0x7b, 0x7d]
const [openBracket, closeBracket] = [0x5b, 0x5d]

export class JsonScan {
  #at = 0
  #depth = 0
  #inString = false
  #isOver = false

  /** Reads on, up to stop. The place after the object's last brace, or -1: not there (yet). */
  resume(bytes: Uint8Array, stop: number): number {
    for (; this.#at < stop && !this.#isOver; this.#at++) {
      const byte = bytes[this.#at]
      if (this.#inString) this.#stringByte(byte)
      else if (this.#depth === 0) this.#firstByte(byte)
      else if (byte === quote) this.#inString = true
      else if (byte === openBrace || byte === openBracket) this.#depth++
      else if ((byte === closeBrace || byte === closeBracket) && --this.#depth === 0) {
        return this.#at + 1
      }
    }
    return -1
  }

  /** Bytes that were read are gone: places move down by this many. */
  forget(count: number): void {
    this.#at -= count
  }

  /** What begins with a brace may be YAML after all. */
  giveUp(): void {
    this.#isOver = true
  }

  #firstByte(byte: number | undefined): void {
    if (byte === openBrace) this.#depth = 1
    else if (!isSpace(byte)) this.giveUp()
  }

  #stringByte(byte: number | undefined): void {
    if (byte === backslash) this.#at++
    else if (byte === quote) this.#inString = false
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === lineFeed || byte === carriageReturn
}
