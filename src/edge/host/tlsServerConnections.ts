// How does a TLS server treat its connections? None is reset while a request waits its turn, and no
// idle or silent connection delays shutdown.
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

export class TlsConnections {
  readonly #server: Server
  /** All open sockets: the server itself does not track those that have not sent a request yet. */
  readonly #open = new Set<Socket>()

  constructor(server: Server) {
    this.#server = server
    server.on('secureConnection', readThroughStream)
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.on('close', () => this.#open.delete(socket))
    })
  }

  /** Requests in progress have `closeMs` to finish. */
  close(closeMs: number): Promise<void> {
    return new Promise((resolve) => {
      // A connection becomes idle only once its last answer has been sent.
      const idle = setInterval(() => this.#server.closeIdleConnections(), closeMs / 20)
      const late = setTimeout(() => {
        for (const socket of this.#open) socket.destroy()
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
