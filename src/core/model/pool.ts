// What is a pool? Its ranges in order, who may use it, and by which names it answers.
import type { Range } from '../net/range.ts'
import type { Labels, Selector } from './selector.ts'

export type ServiceAllocation = {
  readonly priority: number
  readonly namespaces: readonly string[]
  readonly namespaceSelectors: readonly Selector[]
  readonly serviceSelectors: readonly Selector[]
}

export type Pool = {
  readonly kind: 'IPAddressPool'
  readonly name: string
  readonly namespace: string
  /** Since when it says what it says. */
  readonly createdAt: string
  readonly labels: Labels
  readonly ranges: readonly Range[]
  readonly autoAssign: boolean
  readonly avoidBuggyIPs: boolean
  readonly allocation: ServiceAllocation | undefined
  /** The names in berth.dev/serves that are DNS labels (R1.1), and the rest as written. */
  readonly serves: readonly string[]
  readonly badServes: readonly string[]
  /** The annotations' texts; empty when absent. */
  readonly whenFull: string
  readonly split: string
  /** What Services may ask their routes to carry, as written; absent when nothing is listed. */
  readonly allowedCommunities?: string
  /** The label berth.dev/tenant; empty for an open pool (R4.3). */
  readonly tenant: string
  /** The tenant that owns it (R4.14): by owner reference, since labels can be edited (R4.19). */
  readonly madeFrom: string
  /** Labelled app.kubernetes.io/managed-by: berth. */
  readonly isOurs: boolean
  readonly status: PoolStatus | undefined
}

export type PoolStatus = {
  readonly assignedIPv4: bigint
  readonly assignedIPv6: bigint
  readonly availableIPv4: bigint
  readonly availableIPv6: bigint
}
