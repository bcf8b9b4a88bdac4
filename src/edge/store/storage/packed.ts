// How do objects take less room, and how are they read then? Neighbours are packed into one block,
// which takes half or less, and all of it is unpacked for any of them.
import type { Block, Held } from './block.ts'
import { compress, decompress } from './lz.ts'

/** Small, since it is unpacked whole. */
export const packedBytes = 32 * 1024
const nothing = new Uint8Array()

/** They stay as they are, also when the object is replaced or moved to another block. */
export const bytesOf = <H extends Held<H>>(held: H): Uint8Array => partOf(held)

/** As bytesOf, but only the first of them. */
export function partOf<H extends Held<H>>(held: H, end?: number): Uint8Array {
  const view = viewPart(held, 0, end)
  const { block } = held
  const isLasting = block?.isLent === false && block.packed === undefined
  return isLasting ? view : view.slice()
}

/** For whoever is done with it before anything else is read or written. */
export const viewOf = <H extends Held<H>>(held: H): Uint8Array => viewPart(held, 0)

/** As viewOf. */
export function viewPart<H extends Held<H>>(held: H, from: number, end?: number): Uint8Array {
  held.block?.fetch?.(held)
  const { block, start, sizeBytes } = held
  if (block === undefined) return nothing
  const { buffer, byteOffset } = block.bytes ?? unpack(block)
  return new Uint8Array(buffer, byteOffset + start + from, (end ?? sizeBytes) - from)
}

let joined = new Uint8Array(packedBytes)

/** They move into a block of their own; what hardly gets smaller stays as it is. */
export function packTogether<H extends Held<H>>(held: readonly H[]): void {
  const lengthBytes = held.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (joined.length < lengthBytes) joined = new Uint8Array(lengthBytes)
  let used = 0
  for (const one of held) {
    joined.set(viewOf(one), used)
    used += one.sizeBytes
  }
  const bytes = joined.subarray(0, used)
  const packed = compress(bytes)
  const isSmaller = packed.length * 4 < used * 3
  const block: Block<H> = {
    bytes: isSmaller ? undefined : bytes.slice(),
    packed: isSmaller ? packed : undefined,
    lengthBytes,
    isLent: false,
    used,
    live: used,
    held: held.slice(),
  }
  let start = 0
  for (const one of held) {
    one.block = block
    one.start = start
    start += one.sizeBytes
  }
  if (joined.length > packedBytes) joined = new Uint8Array(packedBytes)
}

type Space = { readonly bytes: Uint8Array; block: Block<unknown> | undefined }

/** Where blocks are unpacked, in turn: lists go through a few at a time, each to its end. */
const spaces: Space[] = []
const mostSpaces = 64
let next = 0

function unpack<H>(block: Block<H>): Uint8Array {
  const { packed = nothing, lengthBytes } = block
  if (lengthBytes > packedBytes) {
    const bytes = new Uint8Array(lengthBytes)
    decompress(packed, bytes)
    return bytes
  }
  const space = nextSpace()
  if (space.block !== undefined) space.block.bytes = undefined
  space.block = block
  decompress(packed, space.bytes)
  block.bytes = space.bytes
  return space.bytes
}

function nextSpace(): Space {
  const known = spaces[next]
  const space = known ?? { bytes: new Uint8Array(packedBytes), block: undefined }
  spaces[next] = space
  next = (next + 1) % mostSpaces
  return space
}
