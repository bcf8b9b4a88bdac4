// How does a TLS server treat its connections? None is reset while a request waits its turn, and no
// idle or silent connection delays shutdown.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

type Share = {
  readonly most: number
  /** From one address. */
  readonly mostOfSource: number
}

const sourceOf = ({ remoteAddress = '' }: Socket): string => remoteAddress
const placeOf = (socket: Socket): string => `${sourceOf(socket)} ${socket.remotePort}`

export class TlsConnections {
  readonly #server: Server
  readonly #share: Share
  /**
   * All open sockets by client address and port. Who asked last is last: the server itself does not
   * track those that have not sent a request yet.
   */
  readonly #open = new Map<string, Socket>()
  /** By place, the request that waits for an answer. */
  readonly #asking = new Map<string, IncomingMessage>()
  /** The places of those that have asked something before. */
  readonly #known = new Set<string>()
  readonly #bySource = new Map<string, number>()

  constructor(server: Server, share: Share) {
    this.#server = server
    this.#share = share
    server.on('secureConnection', readThroughStream)
    server.on('connection', (socket: Socket) => this.#opened(socket))
    const asked = (request: IncomingMessage, response: ServerResponse): void => {
      const place = placeOf(request.socket)
      this.#asking.set(place, request)
      this.#asked(place)
      response.on('close', () => this.#asking.delete(place))
    }
    server.on('request', asked)
    server.on('checkContinue', asked)
  }

  /**
   * A client that opens many does not keep others out: beyond its share, or if there are too many,
   * an idle connection is closed for the new one, else one whose request is not complete.
   */
  #opened(socket: Socket): void {
    const [place, source] = [placeOf(socket), sourceOf(socket)]
    if (!this.#makeRoom(source)) {
      socket.destroy()
      return
    }
    this.#open.set(place, socket)
    this.#bySource.set(source, this.#countOf(source) + 1)
    socket.on('close', () => this.#forget(place, source))
  }

  #asked(place: string): void {
    const socket = this.#open.get(place)
    if (socket === undefined) return
    this.#known.add(place)
    this.#open.delete(place)
    this.#open.set(place, socket)
  }

  #makeRoom(source: string): boolean {
    const { most, mostOfSource } = this.#share
    if (this.#countOf(source) >= mostOfSource) return this.#closeUnasked(source)
    if (this.#open.size < most) return true
    const largest = this.#largestSource()
    if (this.#closeUnasked(largest)) return true
    return this.#countOf(largest) > this.#countOf(source) && this.#close(largest, () => true)
  }

  #closeUnasked(source: string): boolean {
    const isSilent = (place: string) => !this.#known.has(place)
    const isIdle = (place: string) => !this.#asking.has(place)
    const isSending = (place: string) => this.#asking.get(place)?.complete === false
    return [isSilent, isIdle, isSending].some((isOne) => this.#close(source, isOne))
  }

  #countOf(source: string): number {
    return this.#bySource.get(source) ?? 0
  }

  #forget(place: string, source: string): void {
    if (!this.#open.delete(place)) return
    this.#known.delete(place)
    const left = this.#countOf(source) - 1
    if (left > 0) this.#bySource.set(source, left)
    else this.#bySource.delete(source)
  }

  /** The eldest of these; answers whether there was one. */
  #close(source: string, isOne: (place: string) => boolean): boolean {
    for (const [place, socket] of this.#open) {
      if (!place.startsWith(`${source} `) || !isOne(place)) continue
      this.#forget(place, source)
      socket.destroy()
      return true
    }
    return false
  }

  #largestSource(): string {
    const [largest] = [...this.#bySource].sort(([, one], [, other]) => other - one)
    return largest?.[0] ?? ''
  }

  /** Requests in progress have `closeMs` to finish. */
  close(closeMs: number): Promise<void> {
    return new Promise((resolve) => {
      // A connection becomes idle only once its last answer has been sent.
      const idle = setInterval(() => this.#server.closeIdleConnections(), closeMs / 20)
      const late = setTimeout(() => {
        for (const socket of this.#open.values()) socket.destroy()
      }, closeMs)
      this.#server.close(() => {
        clearInterval(idle)
        clearTimeout(late)
        resolve()
      })
    })
  }
}

/**
 * Without a `data` listener, Node passes decrypted bytes straight to its HTTP parser, even while
 * that is paused because the last answer is not sent yet, and treats this as an error
 * (HPE_PAUSED): a large request right behind a large answer would have its connection reset. With
 * a listener the bytes go through the stream, which waits.
 */
function readThroughStream(socket: TLSSocket): void {
  socket.on('data', () => undefined)
}
