// What is an interface of this host, as the kernel tells it?
import type { Ip } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'

export type HostAddress = { readonly address: Ip; readonly prefixLength: number }

export type HostLink = {
  readonly index: number
  readonly name: string
  readonly mac: Mac
  readonly isUp: boolean
  readonly hasCarrier: boolean
  /** A port of a bridge, of a bond, or in a VRF. */
  readonly hasMaster: boolean
  readonly isNoArp: boolean
  readonly canBroadcast: boolean
  readonly linkLocal: Ip | undefined
  /** Without those of the link itself; in order of the text. */
  readonly addresses: readonly HostAddress[]
}
