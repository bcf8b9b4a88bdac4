// What do speakers tell each other about who is alive? Five messages, all from one node.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import type { Prefix } from '../../net/range.ts'

export type Endpoint = { readonly address: Ip; readonly port: number }

/** An interface that may announce. Its name is the node's: others may call it otherwise. */
export type LinkFacts = {
  readonly name: string
  readonly mac: Mac
  readonly isUp: boolean
  /** An advertisement is for it: beats go over it too. */
  readonly isUsed: boolean
  readonly subnets: readonly Prefix[]
}

/** What a node says of itself; the higher (incarnation, version) is the newer. */
export type Facts = {
  readonly node: string
  /** Of the process: its start in microseconds since 1970, plus one for each refuted accusation. */
  readonly incarnation: number
  readonly version: number
  readonly endpoint: Endpoint
  readonly isReady: boolean
  readonly hasApi: boolean
  readonly isLeaving: boolean
  readonly links: readonly LinkFacts[]
}

/** What one member says of another, or of its link: an accusation, or the contradiction. */
export type PeerReport = {
  readonly node: string
  readonly incarnation: number
  readonly link: string | undefined
  readonly isHeard: boolean
}

/** One line of a digest. */
export type PeerState = {
  readonly node: string
  readonly incarnation: number
  readonly version: number
  readonly state: 'alive' | 'dead' | 'left'
}

export type Body =
  | { readonly kind: 'beat'; readonly sequence: number; readonly link: undefined }
  /** Over a link: the sender's name of it, and how many speakers it sees by UDP, itself too. */
  | {
      readonly kind: 'beat'
      readonly sequence: number
      readonly link: string
      readonly seen: number
    }
  | { readonly kind: 'facts'; readonly facts: readonly Facts[] }
  | { readonly kind: 'reports'; readonly reports: readonly PeerReport[] }
  /** `wantsReply`: the receiver answers with its own digest. */
  | {
      readonly kind: 'digest'
      readonly wantsReply: boolean
      readonly peerStates: readonly PeerState[]
    }
  /** Asks for the facts of these nodes. */
  | { readonly kind: 'want'; readonly nodes: readonly string[] }

export type Message = { readonly from: string; readonly incarnation: number } & Body
