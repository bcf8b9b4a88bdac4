// How are bytes for a network written? Field by field, in network order.

export class Writer {
  #bytes: Uint8Array
  #view: DataView
  #at = 0

  constructor(capacity = 128) {
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get length(): number {
    return this.#at
  }

  u8(value: number): this {
    const at = this.#room(1)
    this.#view.setUint8(at, value)
    return this
  }

  u16(value: number): this {
    const at = this.#room(2)
    this.#view.setUint16(at, value)
    return this
  }

  u32(value: number): this {
    const at = this.#room(4)
    this.#view.setUint32(at, value)
    return this
  }

  u64(value: bigint): this {
    const at = this.#room(8)
    this.#view.setBigUint64(at, value)
    return this
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#room(bytes.length)
    this.#bytes.set(bytes, at)
    return this
  }

  /** Overwrites an earlier field, such as a length that is known only now. */
  setU16(at: number, value: number): this {
    this.#view.setUint16(at, value)
    return this
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#at)
  }

  /** Call it before using the view, which it may replace. */
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
    this.#view = new DataView(bytes.buffer)
  }
}
