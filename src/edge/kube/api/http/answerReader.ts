// Where does an answer begin and end? Takes bytes as they come; gives its head and pieces of its
// body. RFC 9112 sections 6 and 7.
import { AnswerFault } from './answerFault.ts'
import { type Head, readHead } from './head.ts'

type Heard = {
  readonly head: (head: Head) => void
  readonly body: (bytes: Buffer) => void
}

type State = 'head' | 'sized' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'endless' | 'over'

/** Node's own limit. */
const maxHeadBytes = 16 * 1024
const maxLineBytes = 1024
const [none, blankLine, lineEnd] = [Buffer.alloc(0), '\r\n\r\n', '\r\n']
const beginning = Buffer.from('HTTP/1.')

/** Reads one answer. Throws an AnswerFault on malformed bytes, and must not be used afterwards. */
export class AnswerReader {
  readonly #heard: Heard
  #state: State = 'head'
  /** Bytes that are still too short to parse. */
  #held: Buffer = none
  #leftBytes = 0

  constructor(heard: Heard) {
    this.#heard = heard
  }

  get isOver(): boolean {
    return this.#state === 'over'
  }

  /** Returns the bytes after the end of the answer. */
  take(bytes: Buffer): Buffer {
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    this.#held = none
    while (rest.length > 0 && this.#state !== 'over') {
      const taken = this.#step(rest)
      if (taken === 0) {
        this.#held = rest
        return none
      }
      rest = taken === rest.length ? none : rest.subarray(taken)
    }
    return rest
  }

  /** The connection was closed. */
  close(): void {
    if (this.#state === 'endless') this.#state = 'over'
    if (this.#state === 'head') throw new AnswerFault('the connection was closed before the answer')
    if (this.#state !== 'over') throw new AnswerFault('the answer was truncated')
  }

  /** Returns the number of bytes consumed; 0 if there are too few. */
  #step(rest: Buffer): number {
    if (this.#state === 'sized' || this.#state === 'chunk') return this.#piece(rest)
    if (this.#state === 'head') return this.#head(rest)
    if (this.#state === 'endless') {
      this.#heard.body(rest)
      return rest.length
    }
    return this.#line(rest)
  }

  #head(rest: Buffer): number {
    const known = Math.min(rest.length, beginning.length)
    if (rest.compare(beginning, 0, known, 0, known) !== 0) {
      throw new AnswerFault(`not HTTP: ${JSON.stringify(rest.toString('latin1', 0, 40))}`)
    }
    const end = rest.indexOf(blankLine, 0, 'latin1')
    if (end > maxHeadBytes || (end < 0 && rest.length > maxHeadBytes)) {
      throw new AnswerFault(`headers longer than ${maxHeadBytes} bytes`)
    }
    if (end < 0) return 0
    const head = readHead(rest.toString('latin1', 0, end))
    if (head.code === 101) throw new AnswerFault('unexpected switch to another protocol')
    // An interim answer is followed by another head.
    if (head.code >= 200) this.#begin(head)
    return end + blankLine.length
  }

  #begin(head: Head): void {
    const { framing } = head
    this.#heard.head(head)
    if (framing === 'chunked') this.#state = 'size'
    else if (framing === 'until-closed') this.#state = 'endless'
    else {
      this.#leftBytes = framing.lengthBytes
      this.#state = framing.lengthBytes === 0 ? 'over' : 'sized'
    }
  }

  #piece(rest: Buffer): number {
    const taken = Math.min(rest.length, this.#leftBytes)
    this.#heard.body(taken === rest.length ? rest : rest.subarray(0, taken))
    this.#leftBytes -= taken
    if (this.#leftBytes > 0) return taken
    if (this.#state === 'sized') this.#state = 'over'
    else this.#state = 'chunk-end'
    return taken
  }

  /** The lines between chunks. */
  #line(rest: Buffer): number {
    const end = rest.indexOf(lineEnd, 0, 'latin1')
    if (end > maxLineBytes || (end < 0 && rest.length > maxLineBytes)) {
      throw new AnswerFault(`a chunk's line longer than ${maxLineBytes} bytes`)
    }
    if (end < 0) return 0
    if (this.#state === 'size') this.#size(rest.toString('latin1', 0, end))
    else if (this.#state === 'trailer' && end === 0) this.#state = 'over'
    else if (this.#state === 'chunk-end' && end === 0) this.#state = 'size'
    else if (this.#state === 'chunk-end')
      throw new AnswerFault('a chunk that does not end at its size')
    return end + lineEnd.length
  }

  #size(line: string): void {
    const [, digits] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? []
    if (digits === undefined) throw new AnswerFault('malformed chunks')
    this.#leftBytes = Number.parseInt(digits, 16)
    this.#state = this.#leftBytes === 0 ? 'trailer' : 'chunk'
  }
}
