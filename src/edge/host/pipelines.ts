// How many requests may wait for an answer on one connection, sent one behind the other? Few: Node
// hands over all that one read brings, and each holds memory until those before it are answered.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Go, Node and curl send the next request once the last one is answered. */
const mostWaiting = 8

export class Pipelines {
  readonly #waiting = new WeakMap<Socket, number>()

  /** False for one too many, which is not answered any more: its connection is closed. */
  enter({ socket }: IncomingMessage, response: ServerResponse): boolean {
    if (this.#waitingOn(socket) >= mostWaiting) socket.destroy()
    // What was read together with the one too many still comes.
    if (socket.destroyed) return false
    this.#add(socket, 1)
    response.once('close', () => this.#add(socket, -1))
    return true
  }

  #waitingOn(socket: Socket): number {
    return this.#waiting.get(socket) ?? 0
  }

  #add(socket: Socket, count: number): void {
    this.#waiting.set(socket, this.#waitingOn(socket) + count)
  }
}
