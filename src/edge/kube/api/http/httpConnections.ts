// Which connections are open? Reusable ones for calls, and one for each stream.
import type { Connection } from '../connection.ts'
import type { Deadline } from '../deadline.ts'
import { Fault } from '../fault.ts'
import { openSocket } from '../openSocket.ts'
import { HttpConnection } from './httpConnection.ts'

type Taken = {
  readonly connection: HttpConnection
  /** The server may have closed it in the meantime. */
  readonly isUsed: boolean
}

/**
 * The API server closes idle connections after 90 s. We close them first, within twice this time,
 * so that no request meets a closed one. One timer for all: one each would be reset with every
 * byte.
 */
const idleMs = 30_000

export class HttpConnections {
  readonly #to: Connection
  readonly #isKept: boolean
  readonly #all = new Set<HttpConnection>()
  #idle: HttpConnection[] = []
  #isClosed = false
  /** Connections idle when it was set are closed if they are still idle when it fires. */
  #sweep: { readonly timer: NodeJS.Timeout; readonly idle: Set<HttpConnection> } | undefined

  constructor(to: Connection, keep: 'keep-alive' | 'one-each') {
    this.#to = to
    this.#isKept = keep === 'keep-alive'
  }

  /** The most recently used one, so that the others can expire; a new one if all are in use. */
  take(deadline: Deadline): Promise<Taken> | Taken {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      this.#sweep?.idle.delete(idle)
      if (idle.isFresh) return { connection: idle, isUsed: true }
      idle.destroy()
    }
    return new Promise((resolve, reject) => {
      // The connection is still opened, for the next request.
      deadline.onOver(reject)
      this.#open().then((connection) => {
        if (deadline.fault === undefined) resolve({ connection, isUsed: false })
        else this.#freed(connection, true)
      }, reject)
    })
  }

  /** For connections with an outdated certificate, or to a server that is gone. */
  dropIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#sweep?.timer)
    for (const connection of this.#all) connection.destroy()
  }

  async #open(): Promise<HttpConnection> {
    const socket = await openSocket(this.#to)
    const connection = new HttpConnection(socket, (isGood) => this.#freed(connection, isGood))
    this.#all.add(connection)
    if (!this.#isClosed) return connection
    connection.destroy()
    throw new Fault('closed')
  }

  #sweepLater(): void {
    this.#sweep ??= {
      timer: setTimeout(() => this.#sweepNow(), idleMs).unref(),
      idle: new Set(this.#idle),
    }
  }

  #sweepNow(): void {
    const idle = this.#sweep?.idle ?? []
    this.#sweep = undefined
    for (const connection of idle) connection.destroy()
    if (this.#idle.length > 0) this.#sweepLater()
  }

  #freed(connection: HttpConnection, isGood: boolean): void {
    if (isGood && this.#isKept && !this.#isClosed) {
      connection.rest()
      this.#idle.push(connection)
      this.#sweepLater()
      return
    }
    if (!this.#all.delete(connection)) return
    this.#idle = this.#idle.filter((one) => one !== connection)
    connection.destroy()
  }
}
