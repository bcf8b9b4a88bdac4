// How does a decision look on the object that it is written to?

import { isRecord, type Json, recordAt } from '../model/json.ts'
import type { PoolStatus } from '../model/pool.ts'
import type { AddressWrite } from '../policy/decideAddress.ts'
import type { ServiceWrite } from '../policy/decideService.ts'
import type { TenantStatus } from '../policy/decideTenant.ts'
import { ingressOf } from './serviceDefaults.ts'

const poolAnnotation = 'metallb.io/ip-allocated-from-pool'
const conditionType = 'berth.dev/Addressed'

/** One write: annotation, ingress and condition together, as one patch of the status would. */
export function withServiceWrite(service: Json, write: ServiceWrite, now: string): Json {
  const metadata = recordAt(service, 'metadata')
  const { [poolAnnotation]: _, ...others } = recordAt(metadata, 'annotations')
  const annotations = write.pool === '' ? others : { ...others, [poolAnnotation]: write.pool }
  const status = { ...recordAt(service, 'status') }
  if (write.ips !== undefined) {
    const ingress = ingressOf(service, write.ips)
    status['loadBalancer'] = ingress.length === 0 ? {} : { ingress }
  }
  status['conditions'] = withCondition(status['conditions'], write.condition, now)
  return { ...service, metadata: { ...metadata, annotations }, status }
}

/** The transition time moves only when the status does. */
function withCondition(before: unknown, after: ServiceWrite['condition'], now: string): Json[] {
  const known = Array.isArray(before) ? before.filter(isRecord) : []
  const others = known.filter((one) => one['type'] !== conditionType)
  if (after === undefined) return others
  const mine = known.find((one) => one['type'] === conditionType)
  const lastTransitionTime = mine?.['status'] === after.status ? mine['lastTransitionTime'] : now
  return [...others, { type: conditionType, ...after, lastTransitionTime }]
}

type Put = Extract<AddressWrite, { type: 'put' }>

export function withAddress(before: Json | undefined, { name, spec }: Put): Json {
  const holders = spec.holders.map((holder) => ({ ...holder, ports: [...holder.ports] }))
  if (before !== undefined) {
    return { ...before, spec: { ...recordAt(before, 'spec'), ...spec, holders } }
  }
  return {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Address',
    metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'berth' } },
    spec: { ...spec, holders },
  }
}

export function withPoolStatus(pool: Json, status: PoolStatus): Json {
  const counts = Object.entries(status).map(([name, count]) => [name, Number(count)] as const)
  return { ...pool, status: Object.fromEntries(counts) }
}

export function withTenantStatus(tenant: Json, status: TenantStatus, now: string): Json {
  const { conditions } = recordAt(tenant, 'status')
  const known = Array.isArray(conditions) ? conditions.filter(isRecord) : []
  const dated = status.conditions.map((condition) => {
    const before = known.find(({ type }) => type === condition.type)
    const lastTransitionTime =
      before?.['status'] === condition.status ? before['lastTransitionTime'] : now
    return { ...condition, lastTransitionTime }
  })
  return { ...tenant, status: { ...status, conditions: dated } }
}
