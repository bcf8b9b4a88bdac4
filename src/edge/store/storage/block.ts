// In what do the bytes of objects lie? Many in one block, as they are or packed to a third.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

export type Block<H> = {
  /** Undefined while it is packed and nobody has read it lately. */
  bytes: Uint8Array | undefined
  readonly packed: Uint8Array | undefined
  readonly lengthBytes: number
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

/** A view: it stays as it is, also when the object is replaced or moved to another block. */
export function bytesOf<H>({ block, start, lengthBytes }: Held<H>): Uint8Array {
  if (block === undefined) return new Uint8Array()
  const { buffer, byteOffset } = block.bytes ?? unpack(block)
  return new Uint8Array(buffer, byteOffset + start, lengthBytes)
}

export const newBlock = <H>(lengthBytes: number): Block<H> => ({
  bytes: new Uint8Array(lengthBytes),
  packed: undefined,
  lengthBytes,
  used: 0,
  live: 0,
  held: [],
})

/** The fastest there is: it leaves little more than the best. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/** They move into a block of their own; what hardly gets smaller stays as it is. */
export function packTogether<H extends Held<H>>(held: H[]): void {
  const bytes = Buffer.concat(held.map(bytesOf))
  const packed = zstdCompressSync(bytes, { params })
  const isSmaller = packed.length * 4 < bytes.length * 3
  const block: Block<H> = {
    bytes: isSmaller ? undefined : bytes,
    // What comes out is a part of a larger buffer.
    packed: isSmaller ? new Uint8Array(packed) : undefined,
    lengthBytes: bytes.length,
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
  // In one piece: with room left it is known that nothing follows.
  const bytes = zstdDecompressSync(packed, { chunkSize: lengthBytes + 64 })
  const oldest = lately[next]
  if (oldest !== undefined) oldest.bytes = undefined
  lately[next] = block
  next = (next + 1) % lately.length
  block.bytes = bytes
  return bytes
}
