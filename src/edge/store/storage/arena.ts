// Where do the bytes of the objects lie? Side by side in blocks: a buffer of its own would cost an
// object a quarter of a kilobyte more.

const blockBytes = 64 * 1024
/** What is larger has a block of its own. */
const largestShared = blockBytes / 4

type Block = {
  readonly bytes: Uint8Array
  used: number
  live: number
  readonly held: Held[]
}

/** Where the bytes of one object lie now; without a block they are released. */
export type Held = {
  block: Block | undefined
  start: number
  length: number
}

export const nowhere: Held = Object.freeze({ block: undefined, start: 0, length: 0 })

/** A view: it stays as it is, also when the object is replaced or moved to another block. */
export function bytesOf({ block, start, length }: Held): Uint8Array {
  return new Uint8Array(block?.bytes.buffer ?? new ArrayBuffer(0), start, length)
}

export class Arena {
  #current = newBlock(0)

  hold(held: Held, bytes: Uint8Array): void {
    const block = this.#blockFor(bytes.length)
    held.block = block
    held.start = block.used
    held.length = bytes.length
    block.bytes.set(bytes, block.used)
    block.used += bytes.length
    block.live += bytes.length
    block.held.push(held)
  }

  /** Space is never written twice, since views of it may be about: a block less than half alive is
   * left by those who live in it, and freed when the last view is gone. */
  release(held: Held): void {
    const { block } = held
    if (block === undefined) return
    held.block = undefined
    block.live -= held.length
    if (block === this.#current || block.live * 2 >= block.bytes.length) return
    for (const other of block.held.splice(0)) {
      if (other.block === block) this.hold(other, bytesOf(other))
    }
  }

  #blockFor(length: number): Block {
    if (length > largestShared) return newBlock(length)
    const { bytes, used } = this.#current
    if (used + length > bytes.length) this.#current = newBlock(blockBytes)
    return this.#current
  }
}

const newBlock = (length: number): Block => ({
  bytes: new Uint8Array(length),
  used: 0,
  live: 0,
  held: [],
})
