// Which connections are open? Kept and used again for calls, one each for streams.
import type { ClientRequestArgs } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Agent } from './builtins.ts'
import type { Connection } from './connection.ts'
import { faultFrom } from './fault.ts'
import { openSocket, probeAfterMs } from './openSocket.ts'

/** The API server closes what is idle for 90 s; we are first, so no request meets a closed one. */
const idleMs = 60_000

export class ApiAgent extends Agent {
  readonly #connection: Connection

  constructor(connection: Connection, keepAlive: 'keep-alive' | 'one-each') {
    super({ keepAlive: keepAlive === 'keep-alive', keepAliveMsecs: probeAfterMs, timeout: idleMs })
    this.#connection = connection
  }

  override createConnection(
    _: ClientRequestArgs,
    created: (error: Error | null, socket: Duplex) => void = () => undefined,
  ): undefined {
    openSocket(this.#connection).then(
      (socket) => created(null, socket),
      (error) => created(faultFrom(error, 'connect'), new Socket()),
    )
  }

  /** What was opened with a certificate that is no longer good, or by a server that is gone. */
  dropIdle(): void {
    for (const sockets of Object.values(this.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy()
    }
  }
}
