// How many messages has a session sent and heard? Over all its connections.
import { decodeHeader, type MessageType, mostBytes } from '../../../core/wire/bgp/header.ts'

export type Counted = Readonly<Record<MessageType, number>>

export class MessageCounts {
  readonly #sent = zero()
  readonly #received = zero()

  get sent(): Counted {
    return this.#sent
  }

  get received(): Counted {
    return this.#received
  }

  countSent(message: Uint8Array): void {
    const header = decodeHeader(message, mostBytes.extended)
    if (header.ok) this.#sent[header.value.type]++
  }

  countReceived(type: MessageType): void {
    this.#received[type]++
  }
}

const zero = (): Record<MessageType, number> => ({
  OPEN: 0,
  UPDATE: 0,
  NOTIFICATION: 0,
  KEEPALIVE: 0,
  'ROUTE-REFRESH': 0,
})
