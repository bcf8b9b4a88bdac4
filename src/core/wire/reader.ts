// How are bytes from a network read? In order and within bounds. Reading past the end gives zeros
// and sets a flag, so that one check after the last field is enough.

export type Decoded<T> = { readonly ok: true; readonly value: T } | Malformed
type Malformed = { readonly ok: false; readonly why: string }

export const malformed = (why: string): Malformed => ({ ok: false, why })

export class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #end: number
  #at: number
  #overran = false

  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = from
    this.#end = Math.min(end, bytes.length)
  }

  /** Whether anything was read past the end. */
  get overran(): boolean {
    return this.#overran
  }

  get left(): number {
    return this.#end - this.#at
  }

  u8(): number {
    const at = this.#take(1)
    return at < 0 ? 0 : this.#view.getUint8(at)
  }

  /** The next octet, which is read once more; undefined at the end. */
  peek(): number | undefined {
    return this.left > 0 ? this.#view.getUint8(this.#at) : undefined
  }

  u16(): number {
    const at = this.#take(2)
    return at < 0 ? 0 : this.#view.getUint16(at)
  }

  u32(): number {
    const at = this.#take(4)
    return at < 0 ? 0 : this.#view.getUint32(at)
  }

  u64(): bigint {
    const at = this.#take(8)
    return at < 0 ? 0n : this.#view.getBigUint64(at)
  }

  /** A view, not a copy. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length)
    return at < 0 ? new Uint8Array(length) : this.#bytes.subarray(at, at + length)
  }

  /** All that is left, which is read once more: a view. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at, this.#end)
  }

  /** A reader for the next `length` bytes; this one continues after them. */
  within(length: number): Reader {
    const at = this.#take(length)
    return at < 0 ? new Reader(this.#bytes, this.#end, this.#end) : this.#inner(at, length)
  }

  #inner(at: number, length: number): Reader {
    return new Reader(this.#bytes, at, at + length)
  }

  #take(length: number): number {
    if (length > this.left) {
      this.#overran = true
      this.#at = this.#end
      return -1
    }
    const at = this.#at
    this.#at += length
    return at
  }
}
