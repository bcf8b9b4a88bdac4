// What goes over one connection? A request in one piece, then its answer, then the next.
import type { Socket } from 'node:net'
import { AnswerFault } from './answerFault.ts'
import { AnswerReader } from './answerReader.ts'
import { Incoming } from './incoming.ts'

type Asking = {
  readonly answered: (answer: Incoming) => void
  /** Called if it fails before there is an answer; later the answer itself fails. */
  readonly failed: (error: Error) => void
}

export class HttpConnection {
  readonly #socket: Socket
  readonly #freed: (isGood: boolean) => void
  #use: Use | undefined
  #error: Error | undefined
  #freshUntilMs = Number.POSITIVE_INFINITY

  /** `freed` is called after each answer; with false the connection is gone. */
  constructor(socket: Socket, freed: (isGood: boolean) => void) {
    this.#socket = socket
    this.#freed = freed
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    // Never removed: a connection may fail at any time, even while idle. It closes some time after
    // the error, and must not be reused until then.
    socket.on('error', (error) => {
      this.#error = error
      this.#close()
    })
    socket.on('end', () => this.#close()).on('close', () => this.#close())
  }

  /** Only after the last request is over. Returns a function that aborts it. */
  ask(request: string, asking: Asking): (why: Error) => void {
    const use = new Use(asking, this.#socket, (why) => {
      if (this.#use === use) this.#fail(why)
    })
    this.#use = use
    this.#socket.ref().write(request, 'utf8')
    return use.giveUp
  }

  /** Whether the server still keeps it open, according to its last answer. */
  get isFresh(): boolean {
    return performance.now() < this.#freshUntilMs
  }

  /** Keeps it open without keeping the process alive. */
  rest(): void {
    this.#socket.unref()
  }

  destroy(): void {
    this.#fail(new AnswerFault('the connection was closed'))
  }

  #take(bytes: Buffer): void {
    const use = this.#use
    try {
      if (use === undefined) throw new AnswerFault('unexpected data')
      const rest = use.reader.take(bytes)
      if (use.reader.isOver) this.#finish(use, rest.length === 0)
    } catch (error) {
      this.#fail(asError(error))
    }
  }

  #close(): void {
    const use = this.#use
    try {
      if (this.#error !== undefined) throw this.#error
      if (use === undefined) throw new AnswerFault('the connection was closed')
      use.reader.close()
      this.#finish(use, false)
    } catch (error) {
      this.#fail(asError(error))
    }
  }

  /** An unread request or unexpected data would be mixed up with the next exchange. */
  #finish(use: Use, isClean: boolean): void {
    const socket = this.#socket
    const isGood = isClean && use.mayStay && socket.writableLength === 0 && !socket.destroyed
    this.#use = undefined
    this.#freshUntilMs = performance.now() + use.keptMs
    if (!isGood) socket.destroy()
    this.#freed(isGood)
    use.end()
  }

  #fail(error: Error): void {
    const use = this.#use
    this.#use = undefined
    this.#socket.destroy()
    this.#freed(false)
    use?.fail(error)
  }
}

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** One request and its answer. */
class Use {
  readonly reader: AnswerReader
  readonly giveUp: (why: Error) => void
  readonly #asking: Asking
  #answer: Incoming | undefined

  constructor(asking: Asking, socket: Socket, giveUp: (why: Error) => void) {
    this.#asking = asking
    this.giveUp = giveUp
    this.reader = new AnswerReader({
      head: (head) => {
        this.#answer = new Incoming(head, { socket, giveUp })
        asking.answered(this.#answer)
      },
      body: (piece) => this.#answer?.push(piece),
    })
  }

  get mayStay(): boolean {
    return this.#answer?.head.isLast === false
  }

  /** A second less than the server's keep-alive, so that no request meets a closed connection. */
  get keptMs(): number {
    const [kept = ''] = this.#answer?.head.values('keep-alive') ?? []
    const [, seconds] = /\btimeout=(\d{1,9})/i.exec(kept) ?? []
    return seconds === undefined ? Number.POSITIVE_INFINITY : (Number(seconds) - 1) * 1000
  }

  end(): void {
    this.#answer?.end('ended')
  }

  fail(error: Error): void {
    if (this.#answer === undefined) this.#asking.failed(error)
    else this.#answer.end(error)
  }
}
