// How does a server over TLS treat its connections? None is reset under a question that waits for
// its turn, and none that is idle or silent keeps the server from ending.
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

export class TlsConnections {
  readonly #server: Server
  /** All that are open: the server itself does not know those that have not asked anything yet. */
  readonly #open = new Set<Socket>()

  constructor(server: Server) {
    this.#server = server
    server.on('secureConnection', readThroughStream)
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.on('close', () => this.#open.delete(socket))
    })
  }

  /** What is under way has that long. */
  close(closeMs: number): Promise<void> {
    return new Promise((resolve) => {
      // A connection is idle only once its last answer is out.
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
 * Without a listener node hands what it decrypts straight to its parser, also while that is paused
 * because the last answer is not out yet, and takes it for an error (HPE_PAUSED): a large request
 * close behind a large answer would find its connection reset. With one it goes through the stream,
 * which waits.
 */
function readThroughStream(socket: TLSSocket): void {
  socket.on('data', () => undefined)
}
