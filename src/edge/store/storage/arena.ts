// Where do the bytes of the objects lie that are there? Those that were written lately as they are,
// in blocks that are used again and again; from time to time all of them are packed.
import { type Block, bytesOf, type Held, newBlock, packTogether, putInto, viewOf } from './block.ts'

const blockBytes = 64 * 1024
/** What is larger has a block of its own. */
const largestShared = blockBytes / 4
/** Small, since all of it is unpacked for any object in it. */
const packedBytes = 16 * 1024
/** So much is left as it is, or this part of all: each time it is packed there is one more place
 * where a list finds what comes next, and they should stay few. */
const [leastLeft, partLeft] = [2 * 1024 * 1024, 16]
const nothing = new Uint8Array()

export class Arena<H extends Held<H>> {
  readonly #isBefore: (one: H, other: H) => boolean
  readonly #past = new Past<H>()
  #current: Block<H> = newBlock(nothing, true)
  /** Those that are not packed. */
  readonly #open = new Set<Block<H>>()
  readonly #spare: Uint8Array[] = []
  #openBytes = 0
  #liveBytes = 0

  /** Neighbours in this order are read together, so they are packed together. */
  constructor(isBefore: (one: H, other: H) => boolean) {
    this.#isBefore = isBefore
  }

  hold(held: H, bytes: Uint8Array): void {
    const block = this.#blockFor(bytes.length)
    putInto(block, held, bytes)
    block.live += bytes.length
    block.held.push(held)
    this.#liveBytes += bytes.length
    this.#openBytes += bytes.length
    if (this.#openBytes > Math.max(leastLeft, this.#liveBytes / partLeft)) this.#pack()
  }

  /** For what is no more, or never was here: whoever has it can read it for as long. */
  remember(held: H, bytes: Uint8Array): void {
    this.#past.hold(held, bytes)
  }

  release(held: H): void {
    const { block } = held
    const at = block?.held.indexOf(held) ?? -1
    if (block === undefined || at < 0) return
    block.held.splice(at, 1)
    block.live -= held.lengthBytes
    this.#liveBytes -= held.lengthBytes
    this.#past.hold(held, viewOf(held))
    if (!block.isLent && block.live * 2 < block.lengthBytes) this.#leave(block)
  }

  /** A packed block that is less than half alive: those who live in it are packed anew later. */
  #leave(block: Block<H>): void {
    this.#open.delete(block)
    for (const held of block.held.splice(0)) {
      this.#liveBytes -= held.lengthBytes
      this.hold(held, bytesOf(held))
    }
  }

  #blockFor(lengthBytes: number): Block<H> {
    if (lengthBytes > largestShared) return this.#opened(new Uint8Array(lengthBytes), false)
    if (this.#current.used + lengthBytes > this.#current.lengthBytes) {
      this.#current = this.#opened(this.#spare.pop() ?? new Uint8Array(blockBytes), true)
    }
    return this.#current
  }

  #opened(bytes: Uint8Array, isLent: boolean): Block<H> {
    const block = newBlock<H>(bytes, isLent)
    this.#open.add(block)
    return block
  }

  #pack(): void {
    const isBefore = this.#isBefore
    const blocks = [...this.#open]
    const all = blocks.flatMap(({ held }) => held)
    this.#open.clear()
    this.#openBytes = 0
    this.#current = newBlock(nothing, true)
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
    for (const { bytes, isLent } of blocks) if (isLent && bytes) this.#spare.push(bytes)
  }
}

/** What is no more: blocks that nobody writes again, each gone with the last who has something of
 * it. As the history forgets in the order in which things happened, so do these. */
class Past<H> {
  #current: Block<H> = newBlock(nothing, false)

  hold(held: Held<H>, bytes: Uint8Array): void {
    if (this.#current.used + bytes.length > this.#current.lengthBytes) {
      this.#current = newBlock(new Uint8Array(Math.max(blockBytes, bytes.length)), false)
    }
    putInto(this.#current, held, bytes)
  }
}
