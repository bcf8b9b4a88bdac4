// Which controller leads, and is its Lease still valid?
import type { Leader } from '../../../core/policy/status/statusView.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'

const leases = resourceOf('Lease')
export const leaseName = 'berth-controller'

/** Undefined if there is no Lease, or if the last holder released it. */
export async function readLeader(
  api: Api,
  namespace: string,
  nowMs: number,
): Promise<Leader | undefined> {
  const path = pathOf(leases, leaseName, undefined, namespace)
  try {
    return leaderIn(await api.call({ method: 'GET', path }), nowMs)
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}

export function leaderIn(lease: unknown, nowMs: number): Leader | undefined {
  const spec = new Fields(lease, []).inner('spec')
  const holder = spec.text('holderIdentity')
  const renewedMs = Date.parse(spec.text('renewTime'))
  if (holder === '' || Number.isNaN(renewedMs)) return undefined
  const ageSeconds = Math.max(0, Math.round((nowMs - renewedMs) / 1000))
  return { holder, ageSeconds, isExpired: ageSeconds > (spec.number('leaseDurationSeconds') ?? 0) }
}
