// What does a speaker know of the others, and what does it want done about it?
import type { Mac } from '../../net/mac.ts'
import type { Endpoint, Facts, Message } from '../../wire/gossip/message.ts'

/** What the driver says of its own node; the rest of the facts is the protocol's. */
export type OwnFacts = Pick<Facts, 'endpoint' | 'isReady' | 'hasApi' | 'links'>

export type Member = {
  readonly node: string
  /** An accused member still counts as alive; one that went silent after it said so has left. */
  readonly state: 'alive' | 'accused' | 'dead' | 'left'
  readonly facts: Facts
  /** Those of its links, by its own names, that fellow members no longer hear. */
  readonly silentLinks: ReadonlySet<string>
}

/** How a message came: the sender's endpoint, or our interface and the sender's MAC on it. */
export type Via =
  | { readonly kind: 'udp'; readonly endpoint: Endpoint }
  | { readonly kind: 'link'; readonly link: string; readonly mac: Mac }

/** One message to many: encoded and sealed once. */
export type Effect =
  | { readonly kind: 'send'; readonly to: readonly Endpoint[]; readonly message: Message }
  | {
      readonly kind: 'sendOnLink'
      /** Our interface. */
      readonly link: string
      readonly to: readonly Mac[]
      readonly message: Message
    }
  /** `members()` or `candidates()` may answer differently from now on. */
  | { readonly kind: 'changed' }
