// Which admission validates files? The CRDs that we ship and the one check, for each BGP mode.
import type { BgpMode } from '../../core/model/admission.ts'
import { check, checkDelete, checkHeld } from '../../core/policy/check/check.ts'
import { type Admission, admission } from '../../edge/kube/admission.ts'
import type { Crd } from '../../edge/kube/schema/crd.ts'

export function gatesOf(crds: readonly Crd[]): (bgpMode: BgpMode) => Admission {
  const made = new Map<BgpMode, Admission>()
  return (bgpMode) => {
    const known = made.get(bgpMode) ?? admission({ crds, check, checkHeld, checkDelete, bgpMode })
    made.set(bgpMode, known)
    return known
  }
}
