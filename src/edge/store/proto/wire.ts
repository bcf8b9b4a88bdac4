// How is protobuf read? Past the end, reading returns zeros and empty chunks; the first fault is
// kept.

/** The budget of one body, shared by all readers of its parts, so that all of them stop. */
export class Reading {
  #fault: string | undefined
  #valuesLeft: number
  #depth = 0

  constructor(valuesAtMost: number) {
    this.#valuesLeft = valuesAtMost
  }

  get fault(): string | undefined {
    return this.#fault
  }

  fail(fault: string): void {
    this.#fault ??= fault
  }

  /** Schemas nest, and reading them does too: the stack bounds how deep. */
  deeper<T>(read: () => T, otherwise: T): T {
    if (this.#depth >= deepest) {
      this.fail(`proto: nested more than ${deepest} messages deep`)
      return otherwise
    }
    this.#depth += 1
    const value = read()
    this.#depth -= 1
    return value
  }

  /** Two bytes can become an object of many fields, so the body size does not limit memory. */
  countValue(): void {
    this.#valuesLeft -= 1
    if (this.#valuesLeft < 0) this.fail(tooManyValues)
  }
}

export const tooManyValues = 'too many values'
const deepest = 400

export const wireTypes = { varint: 0, fixed64: 1, chunk: 2, start: 3, end: 4, fixed32: 5 } as const

export type Tag = { readonly number: number; readonly wireType: number }

export class WireReader {
  readonly #bytes: Uint8Array
  readonly #reading: Reading
  #at = 0
  // A varint has 64 bits, kept as two signed halves: a number would lose bits, and bigints are
  // slow.
  #low = 0
  #high = 0

  constructor(bytes: Uint8Array, reading: Reading) {
    this.#bytes = bytes
    this.#reading = reading
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length || this.#reading.fault !== undefined
  }

  tag(): Tag {
    this.#varint()
    return { number: (this.#high << 29) | (this.#low >>> 3), wireType: this.#low & 7 }
  }

  int32(): number {
    this.#varint()
    return this.#low
  }

  /** Exact up to 2^53, as usual in JSON. */
  int64(): number {
    this.#varint()
    return this.#high * 2 ** 32 + (this.#low >>> 0)
  }

  bool(): boolean {
    this.#varint()
    return this.#low !== 0 || this.#high !== 0
  }

  double(): number {
    const from = this.#at
    this.#advance(8)
    if (this.#reading.fault !== undefined) return 0
    const { buffer, byteOffset } = this.#bytes
    return new DataView(buffer, byteOffset + from, 8).getFloat64(0, true)
  }

  chunk(): Uint8Array {
    const length = this.int64()
    if (length < 0) this.#reading.fail('proto: negative length found during unmarshaling')
    const from = this.#at
    this.#advance(length)
    return this.#reading.fault === undefined ? this.#bytes.subarray(from, this.#at) : nothing
  }

  /** Skips the value of an unknown field; nested groups are counted, not read recursively. */
  skip(wireType: number): void {
    let depth = 0
    for (let type = wireType; ; type = this.tag().wireType) {
      if (type === wireTypes.varint) this.#varint()
      else if (type === wireTypes.fixed64) this.#advance(8)
      else if (type === wireTypes.chunk) this.chunk()
      else if (type === wireTypes.start) depth += 1
      else if (type === wireTypes.end) depth -= 1
      else if (type === wireTypes.fixed32) this.#advance(4)
      else this.#reading.fail(`proto: illegal wireType ${type}`)
      if (depth <= 0 || this.#reading.fault !== undefined) return
    }
  }

  #varint(): void {
    this.#low = 0
    this.#high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at] ?? 0
      this.#advance(1)
      const bits = byte & 0x7f
      if (shift < 32) this.#low |= bits << shift
      if (shift === 28) this.#high |= bits >> 4
      if (shift > 28) this.#high |= bits << (shift - 32)
      if (byte < 0x80) return
    }
    this.#reading.fail('proto: integer overflow')
  }

  #advance(count: number): void {
    if (count > this.#bytes.length - this.#at) {
      this.#at = this.#bytes.length
      this.#reading.fail('unexpected EOF')
    } else {
      this.#at += count
    }
  }
}

const nothing = new Uint8Array()
