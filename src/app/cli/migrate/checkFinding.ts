// What does berth migrate check report? What prevents the switch, and the commands that fix it.
import type { Severity } from '../../../core/model/problem.ts'

export type CheckFinding = {
  readonly code: CheckCode
  /** An error prevents the switch; a warning does not. */
  readonly severity: Severity
  /** Kind/namespace/name, or Kind/name. */
  readonly object: string
  readonly message: string
  /** To be run in this order. */
  readonly fixes: readonly string[]
}
/**
 * What the walk does is left to the walk: it notes what it takes away, and puts it back on the way
 * back. Nobody puts back what was deleted by hand.
 */
export const walkFixes: readonly string[] = ['berth migrate step --all']

type CheckCode =
  | 'metallb-controller-runs'
  | 'metallb-speaker-runs'
  | 'operator-keeps-metallb'
  | 'memberlist-on'
  | 'bgp-in-use'
  | 'multihop-not-set'
  | 'native-local-pref'
  | 'bgpextras-in-use'
  | 'foreign-frr-configuration'
  | 'crds-owned-by-helm'
  | 'helm-record-unreadable'
  | 'metallb-elsewhere'
  | 'kept-by-gitops'
  | 'gitops-keeps-metallb'
  | 'removal-takes-pools'
  | 'peers-stored-as-v1beta1'
  | 'conversion-by-metallb'
  | 'webhook-of-metallb'
