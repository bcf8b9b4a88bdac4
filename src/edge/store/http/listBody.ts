// How is a list written? Each item as its stored bytes, in pieces made while they are sent.
import type { Body } from './body.ts'
import type { Items } from './shown.ts'

const pieceBytes = 60 * 1024
const comma = 0x2c
const brace = 0x7b

/** `head` ends before the first item, and `tail` starts after the last. */
export function listBody(head: string, { all, cutBytes }: Items, tail: string): Body {
  const [first, last] = [Buffer.from(head, 'utf8'), Buffer.from(tail, 'utf8')]
  const opened = cutBytes === 0 ? 0 : 1
  let lengthBytes = first.length + last.length + Math.max(all.length - 1, 0)
  for (const { length } of all) lengthBytes += length - cutBytes + opened
  return { lengthBytes, pieces: () => pieces() }

  function* pieces(): Generator<Uint8Array> {
    let piece = Buffer.allocUnsafe(Math.max(pieceBytes, first.length))
    piece.set(first)
    let used = first.length
    for (const [index, item] of all.entries()) {
      const needed = item.length - cutBytes + 2
      if (used + needed > piece.length) {
        yield piece.subarray(0, used)
        piece = Buffer.allocUnsafe(Math.max(pieceBytes, needed))
        used = 0
      }
      if (index > 0) used = piece.writeUInt8(comma, used)
      if (opened === 1) used = piece.writeUInt8(brace, used)
      piece.set(item.subarray(cutBytes), used)
      used += item.length - cutBytes
    }
    yield piece.subarray(0, used)
    yield last
  }
}
