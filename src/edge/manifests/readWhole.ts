// What does a file say as a whole? One that is longer than such a file can be is not read to its
// end, which it may not have.
import { createReadStream } from 'node:fs'

export async function readWhole(file: string, mostBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of createReadStream(file)) {
    bytes += part.length
    if (bytes > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
