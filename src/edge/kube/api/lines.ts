// Where does a line of a stream end? Bytes in, whole lines out, each of bounded length.
import { counted } from '../../../core/net/counted.ts'
import { Fault } from './fault.ts'

const maxLineBytes = 16 * 1024 * 1024
const lineEnd = 10

/** Lines without their line breaks; a truncated line is a Fault. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = maxLineBytes,
): AsyncGenerator<string> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, from)) {
      const last = Buffer.from(chunk.buffer, chunk.byteOffset + from, end - from)
      const line = held.length === 0 ? last : Buffer.concat([...held, last])
      held = []
      heldBytes = 0
      from = end + 1
      if (line.length > maxBytes) throw tooLong(maxBytes)
      if (line.length > 0) yield line.toString('utf8')
    }
    heldBytes += chunk.length - from
    if (heldBytes > maxBytes) throw tooLong(maxBytes)
    if (from < chunk.length) held.push(chunk.subarray(from))
  }
  if (heldBytes > 0) throw new Fault(`a line was truncated after ${counted(heldBytes, 'byte')}`)
}

const tooLong = (maxBytes: number): Fault => new Fault(`a line is longer than ${maxBytes} bytes`)
