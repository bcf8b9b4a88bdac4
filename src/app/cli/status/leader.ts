// Which controller leads, and is its Lease still valid?
import type { Leader } from '../../../core/model/leader.ts'
import { leaseName } from '../../../edge/kube/adoption.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { decodeLeader } from '../../../edge/kube/decode/decodeLeader.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'

/** Undefined if there is no Lease, or if the last holder released it. */
export async function readLeader(
  api: Api,
  namespace: string,
  nowMs: number,
): Promise<Leader | undefined> {
  const path = pathOf(resourceOf('Lease', namespace), leaseName)
  try {
    return decodeLeader(await api.call({ method: 'GET', path }), nowMs)
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined
    throw error
  }
}
