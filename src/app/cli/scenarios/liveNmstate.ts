// Who carries out node policies on a running API? Nobody: this stands in for nmstate, and reports
// each of them as done.
import { availableConditions, isAvailable } from '../../../core/sim/nmstate.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { type LiveObjects, metaOf } from './liveObjects.ts'

export const policyKind = 'NodeNetworkConfigurationPolicy'

/** Answers whether nothing was left to report. */
export async function policiesAreReported(api: Api, objects: LiveObjects): Promise<boolean> {
  const policies = await objects.listOf(policyKind)
  const waiting = policies.filter((policy) => !isAvailable(policy))
  const status = { conditions: availableConditions(new Date().toISOString()) }
  for (const policy of waiting) {
    const path = pathOf(resourceOf(policyKind), String(metaOf(policy)['name']), 'status')
    const contentType = 'application/merge-patch+json'
    await api.call({ method: 'PATCH', path, contentType, body: { status } })
  }
  return waiting.length === 0
}
