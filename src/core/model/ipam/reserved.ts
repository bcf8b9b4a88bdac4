// Which addresses does a Reservation record, and whose is it?
import type { Ip } from '../../net/ip.ts'

export type Reserved = {
  readonly uid: string
  readonly resourceVersion: string
  /** The IPSet that it goes with; empty for one without an owner, as after a restore. */
  readonly ownerUid: string
  readonly isGoing: boolean
  readonly finalizers: readonly string[]
  /** Of its labels, those that name a subnet by network (1.3). */
  readonly subnetLabels: Readonly<Record<string, string>>
  readonly entries: readonly ReservedAddress[]
}

type ReservedAddress = {
  /** The key of the entry: the network as the NetConfig spelled it. */
  readonly network: string
  readonly subnet: string
  readonly text: string
  /** Undefined where it cannot be read: that stops nobody. */
  readonly address: Ip | undefined
}
