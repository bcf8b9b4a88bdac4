// What may be announced, where and to whom? The advertisements, peers and what they refer to.
import type { Made } from './made.ts'
import type { Labels, Selector } from './selector.ts'

type Named = { readonly name: string; readonly namespace: string; readonly createdAt: string }

type Advertisement = Named &
  Made & {
    readonly pools: readonly string[]
    readonly poolSelectors: readonly Selector[]
    readonly nodeSelectors: readonly Selector[]
    readonly serviceSelectors: readonly Selector[]
  }

export type L2Advertisement = Advertisement & {
  readonly kind: 'L2Advertisement'
  readonly interfaces: readonly string[]
  readonly preferred: readonly { readonly weight: number; readonly preference: Selector }[]
}

export type BgpAdvertisement = Advertisement & {
  readonly kind: 'BGPAdvertisement'
  readonly aggregationLength: number
  readonly aggregationLengthV6: number
  readonly localPref: number
  /** As written: a:b, large:a:b:c or the name of an alias. */
  readonly communities: readonly string[]
  readonly peers: readonly string[]
  /** Those that speak of BGP; absent when there are none. */
  readonly annotations?: Labels
}

export type Peer = Named &
  Made & {
    readonly kind: 'BGPPeer'
    readonly myASN: number
    readonly peerASN: number
    readonly dynamicASN: string
    readonly localASN: number
    readonly peerAddress: string
    readonly interface: string
    readonly sourceAddress: string
    readonly peerPort: number
    /** Milliseconds; undefined when absent. */
    readonly holdMs: number | undefined
    readonly keepaliveMs: number | undefined
    readonly connectMs: number | undefined
    readonly routerID: string
    readonly nodeSelectors: readonly Selector[]
    readonly hasPassword: boolean
    /** The object's uid/generation, once stored: the password itself is read by the driver. */
    readonly passwordVersion?: string
    readonly passwordSecret: string
    readonly bfdProfile: string
    readonly enableGracefulRestart: boolean | undefined
    readonly ebgpMultiHop: boolean
    readonly vrf: string
    readonly disableMP: boolean
    readonly dualStackAddressFamily: boolean
    /** Those that speak of BGP; absent when there are none. */
    readonly annotations?: Labels
  }

export type BfdProfile = Named & {
  readonly kind: 'BFDProfile'
  readonly receiveInterval: number | undefined
  readonly transmitInterval: number | undefined
  readonly detectMultiplier: number | undefined
  readonly echoInterval: number | undefined
  readonly echoMode: boolean
  readonly passiveMode: boolean
  readonly minimumTtl: number | undefined
}

export type Community = Named & {
  readonly kind: 'Community'
  readonly aliases: readonly { readonly name: string; readonly value: string }[]
}

/** Only what a peer needs to know of the Secret that it names (M8.1 rule 11). */
export type SecretView = Named & {
  readonly kind: 'Secret'
  readonly key: string
  readonly type: string
  readonly keys: readonly string[]
}

export type NamespaceView = {
  readonly kind: 'Namespace'
  readonly name: string
  readonly labels: Labels
  /** Of `berth.dev/wire` (R12.4), as written; absent when it names none. */
  readonly wire?: string
  /** It is being deleted: nothing can be made in it. */
  readonly isGoing?: true
  /** Its pods run as users of a range of its own, as on OpenShift. */
  readonly hasUserIds?: true
}
