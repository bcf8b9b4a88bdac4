// How many messages has a session sent and heard? Over all its connections.
import { headerBytes, type MessageType } from '../../../core/wire/bgp/header.ts'

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
    const type = types[message[headerBytes - 1] ?? 0]
    if (type !== undefined) this.#sent[type]++
  }

  countReceived(type: MessageType): void {
    this.#received[type]++
  }
}

/** By their codes: what we send ourselves need not be checked again. */
const types: readonly (MessageType | undefined)[] = [
  ...([undefined, 'OPEN', 'UPDATE', 'NOTIFICATION', 'KEEPALIVE', 'ROUTE-REFRESH'] as const),
]

const zero = (): Record<MessageType, number> => ({
  OPEN: 0,
  UPDATE: 0,
  NOTIFICATION: 0,
  KEEPALIVE: 0,
  'ROUTE-REFRESH': 0,
})
