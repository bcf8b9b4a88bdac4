// Where do the bytes of the objects lie that are there? Those that were written lately as they are,
// in blocks that are used again and again; from time to time all of them are packed.
import { type Block, type Held, newBlock, type Parts, putInto, sizeOf } from './block.ts'
import { packedBytes, packTogether, viewOf } from './packed.ts'

const blockBytes = 64 * 1024
/** What is larger has a block of its own. */
const largestShared = blockBytes / 4
/** So much is left as it is, or this part of all: each time it is packed there is one more place
 * where a list finds what comes next, and they should stay few. */
const [leastLeft, partLeft] = [2 * 1024 * 1024, 32]
const nothing = new Uint8Array()

export type ArenaParts<H> = {
  /** Neighbours in this order are read together, so they are packed together. */
  readonly isBefore: (one: H, other: H) => boolean
  /** Those of one that was left where it is. */
  readonly fetch: (held: H) => Parts
}

export class Arena<H extends Held<H>> {
  readonly #isBefore: ArenaParts<H>['isBefore']
  /** Of those whose bytes are not here yet. */
  readonly #elsewhere: Block<H>
  readonly #past = new Past<H>()
  #current: Block<H> = newBlock(nothing, true)
  /** Those that are not packed. */
  readonly #open = new Set<Block<H>>()
  readonly #spare: Uint8Array[] = []
  #openBytes = 0
  #liveBytes = 0

  constructor({ isBefore, fetch }: ArenaParts<H>) {
    this.#isBefore = isBefore
    this.#elsewhere = { ...newBlock(nothing, true), fetch: (held) => this.hold(held, fetch(held)) }
  }

  /** Its bytes are fetched when they are read first. */
  leave(held: H): void {
    held.block = this.#elsewhere
  }

  hold(held: H, parts: Parts): void {
    const sizeBytes = sizeOf(parts)
    const block = this.#blockFor(sizeBytes)
    putInto(block, held, parts)
    block.live += sizeBytes
    block.held.push(held)
    this.#liveBytes += sizeBytes
    this.#openBytes += sizeBytes
    if (this.#openBytes > Math.max(leastLeft, this.#liveBytes / partLeft)) this.#pack()
  }

  /** For what is no more, or never was here: whoever has it can read it for as long. */
  remember(held: H, parts: Parts): void {
    this.#past.hold(held, parts)
  }

  release(held: H): void {
    held.block?.fetch?.(held)
    const { block } = held
    const at = block?.held.indexOf(held) ?? -1
    if (block === undefined || at < 0) return
    block.held.splice(at, 1)
    block.live -= held.sizeBytes
    this.#liveBytes -= held.sizeBytes
    this.#past.hold(held, [viewOf(held)])
    if (!block.isLent && block.live * 2 < block.lengthBytes) this.#empty(block)
  }

  /** A packed block that is less than half alive: those who live in it are packed anew later. */
  #empty(block: Block<H>): void {
    this.#open.delete(block)
    for (const held of block.held.splice(0)) {
      this.#liveBytes -= held.sizeBytes
      this.hold(held, [viewOf(held)])
    }
  }

  #blockFor(sizeBytes: number): Block<H> {
    if (sizeBytes > largestShared) return this.#opened(new Uint8Array(sizeBytes), false)
    if (this.#current.used + sizeBytes > this.#current.lengthBytes) {
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
    let [together, sizeBytes]: [H[], number] = [[], 0]
    for (const held of all.sort((one, other) => (isBefore(one, other) ? -1 : 1))) {
      if (together.length > 0 && sizeBytes + held.sizeBytes > packedBytes) {
        packTogether(together)
        together = []
        sizeBytes = 0
      }
      together.push(held)
      sizeBytes += held.sizeBytes
    }
    if (together.length > 0) packTogether(together)
    for (const { bytes, isLent } of blocks) if (isLent && bytes) this.#spare.push(bytes)
  }
}

/** What is no more: blocks that nobody writes again, each gone with the last who has something of
 * it. As the history forgets in the order in which things happened, so do these. */
class Past<H> {
  #current: Block<H> = newBlock(nothing, false)

  hold(held: Held<H>, parts: Parts): void {
    const sizeBytes = sizeOf(parts)
    if (this.#current.used + sizeBytes > this.#current.lengthBytes) {
      this.#current = newBlock(new Uint8Array(Math.max(blockBytes, sizeBytes)), false)
    }
    putInto(this.#current, held, parts)
  }
}
