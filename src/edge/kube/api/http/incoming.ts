// How is an answer read? As a whole, or piece by piece at the reader's pace.
import { AnswerFault } from './answerFault.ts'
import type { Head } from './head.ts'

/** The connection that an answer comes from. */
type Origin = {
  readonly socket: { readonly pause: () => void; readonly resume: () => void }
  readonly giveUp: (why: Error) => void
}

/** More than this waits in the socket, unless the whole body is being read. */
const maxWaitingBytes = 256 * 1024

export class Incoming {
  readonly head: Head
  readonly #origin: Origin
  #pieces: Buffer[] = []
  #bytes = 0
  #isWhole = false
  #isPaused = false
  #outcome: 'ended' | Error | undefined
  #wake: () => void = () => undefined

  constructor(head: Head, origin: Origin) {
    this.head = head
    this.#origin = origin
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (!this.#isWhole && this.#bytes > maxWaitingBytes) this.#pause()
    this.#wake()
  }

  /** Nothing more comes; on a connection that ended well comes the next answer. */
  end(outcome: 'ended' | Error): void {
    this.#outcome ??= outcome
    if (outcome === 'ended') this.#resume()
    this.#wake()
  }

  /** Discards the rest and closes the connection. */
  drop(why: Error = new AnswerFault('the rest was not read')): void {
    if (this.#outcome === undefined) this.#origin.giveUp(why)
  }

  bytes(maxBytes: number): Promise<Buffer> {
    this.#isWhole = true
    this.#resume()
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        if (this.#bytes > maxBytes) {
          reject(new AnswerFault(`the answer is longer than ${maxBytes} bytes`))
          this.drop()
        } else if (this.#outcome === 'ended') resolve(this.#whole())
        else if (this.#outcome !== undefined) reject(this.#outcome)
      }
      this.#wake()
    })
  }

  #whole(): Buffer {
    const [first, ...others] = this.#pieces
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#pieces)
  }

  /** Can be consumed once; stopping before the end closes the connection. */
  async *pieces(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const waiting = this.#pieces
        this.#pieces = []
        this.#bytes = 0
        for (const piece of waiting) yield piece
        if (this.#pieces.length > 0) continue
        if (this.#outcome === 'ended') return
        if (this.#outcome !== undefined) throw this.#outcome
        this.#resume()
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      this.drop()
    }
  }

  #pause(): void {
    this.#isPaused = true
    this.#origin.socket.pause()
  }

  /** Only if we paused it, and before the connection serves another request. */
  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#origin.socket.resume()
  }
}
