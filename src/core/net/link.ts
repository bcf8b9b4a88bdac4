// What is an interface of a host, as far as it matters on its link?
import type { Ip } from './ip.ts'
import type { Mac } from './mac.ts'

export type Link = {
  readonly index: number
  readonly name: string
  readonly mac: Mac
  readonly isUp: boolean
  readonly hasCarrier: boolean
  /** A port of a bridge or bond, or in a VRF. */
  readonly hasMaster: boolean
  readonly isNoArp: boolean
  readonly canBroadcast: boolean
  readonly linkLocal: Ip | undefined
}
