// Where does one document end and the next begin? As kubectl splits: at lines that begin with ---,
// and after each of several JSON objects in a row. Holds one document and what came with its end.
import { isUtf8 } from 'node:buffer'
import { JsonScan } from './jsonScan.ts'
import { maxDocumentBytes } from './limits.ts'

/** A document and the line its first character is on, or why it cannot be had. */
export type Piece =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly why: string }

const newline = 0x0a
const dashes = 3
const separator = `\n${'-'.repeat(dashes)}`

export class Splitter {
  #buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  #line = 0
  /** Counted from #start, as is every place below: no separator begins before it. */
  #searched = 0
  #json = new JsonScan()
  #isDropping = false
  #followsSeparator = false

  constructor() {
    // A separator on the first line is then found like any other.
    this.#append(Buffer.from('\n'))
  }

  *push(bytes: Uint8Array): Generator<Piece> {
    this.#append(bytes)
    yield* this.#whole()
    const held = this.#held()
    if (!this.#isDropping && held.length > maxDocumentBytes) {
      this.#isDropping = true
      yield tooLarge(held, this.#line)
    }
    if (this.#isDropping) this.#advance(Math.max(0, held.length - separator.length))
  }

  *end(): Generator<Piece> {
    yield* this.#take(this.#end - this.#start)
  }

  #held(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  #append(bytes: Uint8Array): void {
    const held = this.#held()
    const length = held.length + bytes.length
    if (this.#start + length > this.#buffer.length) {
      // Twice what is needed, so that a byte is moved a bounded number of times.
      const roomy = length * 2 > this.#buffer.length ? Buffer.allocUnsafe(length * 2) : this.#buffer
      held.copy(roomy)
      this.#buffer = roomy
      this.#start = 0
    }
    this.#buffer.set(bytes, this.#start + held.length)
    this.#end = this.#start + length
  }

  *#whole(): Generator<Piece> {
    for (;;) {
      const held = this.#held()
      const found = held.indexOf(separator, this.#searched)
      this.#searched = found < 0 ? Math.max(0, held.length - dashes) : found
      const close = this.#json.resume(held, found < 0 ? held.length : found)
      if (close >= 0 && (this.#isDropping || isJson(held.subarray(0, close)))) {
        yield* this.#take(close)
        continue
      }
      if (close >= 0) this.#json.giveUp()
      if (found < 0) return
      yield* this.#take(found + 1)
      this.#advance(dashes)
      this.#json = new JsonScan()
      this.#followsSeparator = true
    }
  }

  *#take(length: number): Generator<Piece> {
    const piece = pieceOf(this.#held().subarray(0, length), this.#line, this.#followsSeparator)
    const isWanted = !this.#isDropping
    this.#advance(length)
    this.#json = new JsonScan()
    this.#isDropping = false
    this.#followsSeparator = false
    if (isWanted) yield piece
  }

  #advance(length: number): void {
    this.#line += lineEnds(this.#held().subarray(0, length))
    this.#start += length
    this.#searched = Math.max(0, this.#searched - length)
    this.#json.forget(length)
  }
}

function tooLarge(bytes: Buffer, line: number): Piece {
  const size = `${maxDocumentBytes / 1e6} MB`
  const why = `a document of more than ${size}: divide it, one kind or namespace each`
  return { line: bytes[0] === newline ? line + 1 : line, why }
}

function pieceOf(bytes: Buffer, line: number, followsSeparator: boolean): Piece {
  if (bytes.length > maxDocumentBytes) return tooLarge(bytes, line)
  if (!isUtf8(bytes)) return { line: line + lineEnds(beforeBinary(bytes)), why: 'not UTF-8 text' }
  // The end of the line before is not the document's.
  if (bytes[0] === newline) return { line: line + 1, text: bytes.toString('utf8', 1) }
  const text = bytes.toString()
  if (!followsSeparator || /^\s*(?:#|\n|$)/.test(text)) return { line, text }
  return { line, why: 'only a comment may stand after --- on its line' }
}

/** The lines before the first that is not text. */
function beforeBinary(bytes: Buffer): Buffer {
  for (let from = 0; ; ) {
    const end = bytes.indexOf(newline, from)
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return bytes.subarray(0, from)
    from = end + 1
  }
}

function lineEnds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

/** What is too large to be looked at is taken for JSON, since it has its braces. */
function isJson(bytes: Buffer): boolean {
  if (bytes.length > maxDocumentBytes) return true
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}
