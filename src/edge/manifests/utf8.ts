// How is a stream made UTF-8 without a mark? kubectl reads UTF-16 too, where a mark announces it.
import { TextDecoder } from 'node:util'

const longestMark = 3

export async function* utf8(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  for await (const chunk of chunks) {
    const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (!head) {
      yield decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes
      continue
    }
    head = Buffer.concat([head, bytes])
    if (head.length < longestMark) continue
    decoder = utf16Decoder(head)
    yield decoder ? Buffer.from(decoder.decode(head, { stream: true })) : withoutMark(head)
    head = undefined
  }
  if (head) yield head
  if (decoder) yield Buffer.from(decoder.decode())
}

export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function utf16Decoder(head: Buffer): TextDecoder | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  return head[0] === 0xfe && head[1] === 0xff ? new TextDecoder('utf-16be') : undefined
}
