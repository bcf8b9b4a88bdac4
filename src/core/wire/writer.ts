// How are bytes for a network written? Field by field, in network order.

/** Without a DataView, which costs more to make than a short message to write. */
export class Writer {
  #bytes: Uint8Array
  #at = 0

  constructor(capacity = 128) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#at
  }

  u8(value: number): this {
    const at = this.#room(1)
    this.#bytes[at] = value
    return this
  }

  u16(value: number): this {
    const at = this.#room(2)
    const bytes = this.#bytes
    bytes[at] = value >>> 8
    bytes[at + 1] = value
    return this
  }

  u32(value: number): this {
    const at = this.#room(4)
    const bytes = this.#bytes
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
    return this
  }

  u64(value: bigint): this {
    return this.u32(Number((value >> 32n) & 0xffff_ffffn)).u32(Number(value & 0xffff_ffffn))
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#room(bytes.length)
    this.#bytes.set(bytes, at)
    return this
  }

  /** Overwrites an earlier field, such as a length that is known only now. */
  setU16(at: number, value: number): this {
    this.#bytes[at] = value >>> 8
    this.#bytes[at + 1] = value
    return this
  }

  /** Takes back what was written behind that place. */
  cutTo(length: number): void {
    this.#at = length
  }

  /** Nothing is written after this. */
  done(): Uint8Array {
    return this.#at === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#at)
  }

  /** Call it before using the bytes, which it may replace. */
  #room(length: number): number {
    const at = this.#at
    this.#at += length
    if (this.#at > this.#bytes.length) this.#grow()
    return at
  }

  #grow(): void {
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at))
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }
}
