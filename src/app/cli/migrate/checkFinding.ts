// What does a look before the switch report? What is in the way, and the commands that clear it.
import type { Severity } from '../../../core/model/problem.ts'

export type CheckFinding = {
  readonly code: CheckCode
  /** An error stands in the way of the switch; a warning is to be known. */
  readonly severity: Severity
  /** Kind/namespace/name, or Kind/name. */
  readonly object: string
  readonly message: string
  /** To be run one after the other. */
  readonly fixes: readonly string[]
}
type CheckCode =
  | 'metallb-controller-runs'
  | 'metallb-speaker-runs'
  | 'metallb-bgp-mode'
  | 'crds-owned-by-helm'
  | 'peers-stored-as-v1beta1'
  | 'conversion-by-metallb'
  | 'webhook-of-metallb'
