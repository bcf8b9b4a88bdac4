// Who wants addresses on which networks, and what was it told? An IPSet and its status.
import type { Ip } from '../../net/ip.ts'
import type { FieldError } from '../admission.ts'
import type { JsonObject } from '../gate.ts'

export type NetworkRequest = {
  readonly name: string
  readonly subnetName: string
  /** As written; empty if any will do. */
  readonly fixedText: string
  readonly fixedIP: Ip | undefined
  /** Absent and false are told apart when it is edited (O1.4). */
  readonly defaultRoute: boolean | undefined
}

export type LibCondition = {
  readonly type: string
  readonly status: string
  readonly severity?: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
}

export type IpSet = {
  readonly kind: 'IPSet'
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: string
  readonly generation: number
  readonly isGoing: boolean
  readonly finalizers: readonly string[]
  readonly isImmutable: boolean
  readonly requests: readonly NetworkRequest[]
  readonly unread: readonly FieldError[]
  readonly keep: string
  /** For a pod, from the sticky range (R12.15). */
  readonly isForPod: boolean
  readonly ownerUids: readonly string[]
  readonly status: IpSetStatus
}

type IpSetStatus = {
  readonly conditions: readonly LibCondition[]
  readonly reservations: readonly JsonObject[]
  readonly observedGeneration: number
}
