// Which controller leads, and is its Lease still valid?
import type { Leader } from '../../../core/model/leader.ts'
import { leaseName } from '../../../edge/kube/adoption.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
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
  const lease = await ifThere(api.call({ method: 'GET', path }))
  return lease === undefined ? undefined : decodeLeader(lease, nowMs)
}
