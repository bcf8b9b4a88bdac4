// Where do the bytes of the objects lie? Side by side in blocks: a buffer of its own would cost an
// object a quarter of a kilobyte more. What was not written lately is packed.
import { type Block, bytesOf, type Held, newBlock, packTogether } from './block.ts'

const blockBytes = 64 * 1024
/** What is larger has a block of its own. */
const largestShared = blockBytes / 4
/** Small, since all of it is unpacked for any object in it. */
const packedBytes = 16 * 1024
/** So much is left as it is, or this part of all: each time it is packed there is one more place
 * where a list finds what comes next, and they should stay few. */
const [leastLeft, partLeft] = [2 * 1024 * 1024, 16]

export class Arena<H extends Held<H>> {
  readonly #isBefore: ((one: H, other: H) => boolean) | undefined
  #current: Block<H> = newBlock(0)
  /** Those that are not packed. */
  readonly #open = new Set<Block<H>>()
  #openBytes = 0
  #liveBytes = 0

  /** Neighbours in this order are read together, so they are packed together; without an order
   * nothing is packed. */
  constructor(isBefore?: (one: H, other: H) => boolean) {
    this.#isBefore = isBefore
  }

  hold(held: H, bytes: Uint8Array): void {
    const block = this.#blockFor(bytes.length)
    held.block = block
    held.start = block.used
    held.lengthBytes = bytes.length
    block.bytes?.set(bytes, block.used)
    block.used += bytes.length
    block.live += bytes.length
    block.held.push(held)
    this.#liveBytes += bytes.length
    this.#openBytes += bytes.length
    if (this.#openBytes > Math.max(leastLeft, this.#liveBytes / partLeft)) this.#pack()
  }

  /** Whoever still has it can still read it: space is never written twice. A block less than half
   * alive is left by those who live in it, and is gone with the last who has something of it. */
  release(held: H): void {
    const { block } = held
    const at = block?.held.indexOf(held) ?? -1
    if (block === undefined || at < 0) return
    block.held.splice(at, 1)
    block.live -= held.lengthBytes
    this.#liveBytes -= held.lengthBytes
    if (block === this.#current || block.live * 2 >= block.lengthBytes) return
    this.#open.delete(block)
    for (const other of block.held.splice(0)) {
      this.#liveBytes -= other.lengthBytes
      this.hold(other, bytesOf(other))
    }
  }

  #blockFor(lengthBytes: number): Block<H> {
    if (lengthBytes > largestShared) return this.#opened(lengthBytes)
    if (this.#current.used + lengthBytes > this.#current.lengthBytes) {
      this.#current = this.#opened(blockBytes)
    }
    return this.#current
  }

  #opened(lengthBytes: number): Block<H> {
    const block = newBlock<H>(lengthBytes)
    if (this.#isBefore !== undefined) this.#open.add(block)
    return block
  }

  #pack(): void {
    this.#openBytes = 0
    const isBefore = this.#isBefore
    if (isBefore === undefined) return
    const all = [...this.#open].flatMap(({ held }) => held)
    this.#open.clear()
    this.#current = newBlock(0)
    let [together, lengthBytes]: [H[], number] = [[], 0]
    for (const held of all.sort((one, other) => (isBefore(one, other) ? -1 : 1))) {
      if (together.length > 0 && lengthBytes + held.lengthBytes > packedBytes) {
        packTogether(together)
        together = []
        lengthBytes = 0
      }
      together.push(held)
      lengthBytes += held.lengthBytes
    }
    if (together.length > 0) packTogether(together)
  }
}
