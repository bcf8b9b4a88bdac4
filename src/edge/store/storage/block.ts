// In what do the bytes of objects lie? Many in one block, since a buffer of its own would cost an
// object a quarter of a kilobyte more.

export type Block<H> = {
  /** Undefined while it is packed and nobody has read it lately. */
  bytes: Uint8Array | undefined
  readonly packed: Uint8Array | undefined
  readonly lengthBytes: number
  /** Its space will be written again with something else. */
  readonly isLent: boolean
  used: number
  live: number
  /** Those that are alive. */
  readonly held: H[]
  /** Brings the bytes of one that has nothing in it into another. */
  fetch?(held: H): void
}

/** Where the bytes of one object lie. */
export type Held<H> = {
  block: Block<H> | undefined
  start: number
  sizeBytes: number
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

/** One part behind the other. */
export type Parts = readonly Uint8Array[]

export function sizeOf(parts: Parts): number {
  let size = 0
  for (const { length } of parts) size += length
  return size
}

export function putInto<H>(block: Block<H>, held: Held<H>, parts: Parts): void {
  const start = block.used
  for (const part of parts) {
    block.bytes?.set(part, block.used)
    block.used += part.length
  }
  held.block = block
  held.start = start
  held.sizeBytes = block.used - start
}
