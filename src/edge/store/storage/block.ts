// In what do the bytes of objects lie? Many in one block, since a buffer of its own would cost an
// object a quarter of a kilobyte more; as they are, or packed, which takes half or less.
import { compress, decompress } from './lz.ts'

export type Block<H> = {
  /** Undefined while it is packed and nobody has read it lately. */
  bytes: Uint8Array | undefined
  readonly packed: Uint8Array | undefined
  readonly lengthBytes: number
  /** Its space will be written again: what is read of it is a copy, else a view. */
  readonly isLent: boolean
  used: number
  live: number
  /** Those that are alive. */
  readonly held: H[]
}

/** Where the bytes of one object lie. */
export type Held<H> = {
  block: Block<H> | undefined
  start: number
  lengthBytes: number
}

/** They stay as they are, also when the object is replaced or moved to another block. */
export function bytesOf<H>(held: Held<H>): Uint8Array {
  const view = viewOf(held)
  return held.block?.isLent === true ? view.slice() : view
}

/** For whoever is done with it before anything is written. */
export function viewOf<H>({ block, start, lengthBytes }: Held<H>): Uint8Array {
  if (block === undefined) return new Uint8Array()
  const { buffer, byteOffset } = block.bytes ?? unpack(block)
  return new Uint8Array(buffer, byteOffset + start, lengthBytes)
}

export const newBlock = <H>(bytes: Uint8Array, isLent: boolean): Block<H> => ({
  bytes,
  packed: undefined,
  lengthBytes: bytes.length,
  isLent,
  used: 0,
  live: 0,
  held: [],
})

export function putInto<H>(block: Block<H>, held: Held<H>, bytes: Uint8Array): void {
  held.block = block
  held.start = block.used
  held.lengthBytes = bytes.length
  block.bytes?.set(bytes, block.used)
  block.used += bytes.length
}

/** They move into a block of their own; what hardly gets smaller stays as it is. */
export function packTogether<H extends Held<H>>(held: H[]): void {
  const bytes = Buffer.concat(held.map(viewOf))
  const packed = compress(bytes)
  const isSmaller = packed.length * 4 < bytes.length * 3
  const block: Block<H> = {
    bytes: isSmaller ? undefined : bytes,
    packed: isSmaller ? packed : undefined,
    lengthBytes: bytes.length,
    isLent: false,
    used: bytes.length,
    live: bytes.length,
    held,
  }
  let start = 0
  for (const one of held) {
    one.block = block
    one.start = start
    start += one.lengthBytes
  }
}

/** Of the last blocks that were read; lists go through them one after the other. */
const lately: (Block<unknown> | undefined)[] = new Array(64)
let next = 0

function unpack<H>(block: Block<H>): Uint8Array {
  const { packed = new Uint8Array(), lengthBytes } = block
  const bytes = decompress(packed, lengthBytes)
  const oldest = lately[next]
  if (oldest !== undefined) oldest.bytes = undefined
  lately[next] = block
  next = (next + 1) % lately.length
  block.bytes = bytes
  return bytes
}
