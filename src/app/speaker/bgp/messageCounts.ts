// How many messages has a session sent and heard? Over all its connections.
import { headerBytes, type MessageType } from '../../../core/wire/bgp/header.ts'

export type Counted = Readonly<Record<MessageType, number>>

export class MessageCounts {
  readonly #sent = zero()
  readonly #received = zero()
  #malformed = 0

  get sent(): Counted {
    return this.#sent
  }

  get received(): Counted {
    return this.#received
  }

  /** One message, or several that stand one behind the other. */
  countSent(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += lengthAt(bytes, at) || bytes.length) {
      const type = types[bytes[at + headerBytes - 1] ?? 0]
      if (type !== undefined) this.#sent[type]++
    }
  }

  /** UPDATEs with errors that did not end the session (RFC 7606). */
  get malformed(): number {
    return this.#malformed
  }

  countMalformed(): void {
    this.#malformed++
  }

  countReceived(type: MessageType): void {
    this.#received[type]++
  }
}

const lengthAt = (bytes: Uint8Array, start: number): number =>
  ((bytes[start + 16] ?? 0) << 8) | (bytes[start + 17] ?? 0)

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
