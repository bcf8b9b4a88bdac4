// What does Berth remove so that MetalLB can take over again? Conditions and records; Services keep
// their addresses.

import { counted } from '../../../core/net/counted.ts'
import { leaseName } from '../../../edge/kube/adoption.ts'
import { berth, isManaged } from '../../../edge/kube/annotations.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf, type Resource } from '../../../edge/kube/api/resource.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { readLeader } from '../status/leader.ts'

type Back = {
  readonly api: Api
  readonly io: Io
  readonly namespace: string
}

/** As many as the client sends at once, so that no request times out in its queue. */
const atOnce = 32

export async function removeRecords({ api, io, namespace }: Back): Promise<Exit> {
  const leader = await readLeader(api, namespace, Date.now())
  if (leader !== undefined && !leader.isExpired) {
    io.err(
      `berth: ${leader.holder} leads (Lease ${leaseName} in ${namespace}) and would undo it; ` +
        `stop it first: kubectl -n ${namespace} scale deployment ${leaseName} --replicas=0\n`,
    )
    return 1
  }
  const listed = async (resource: Resource) =>
    (await listAll(api, resource, io.signal)).map((json) => new Fields(json, []))
  const conditions = (await listed(resourceOf('Service'))).flatMap(conditionStep)
  const records = (await listed(resourceOf('Address'))).flatMap(recordStep)
  // First: while it says that Berth gives addresses, speakers wait for an Address (R8.13).
  const first = [...(await leaseStep(api, namespace)), ...conditions]
  const failedFirst = await runAll(api, first, io)
  // Last, on their own: by them it is known that something is left.
  const failed = failedFirst === 0 ? await runAll(api, records, io) : failedFirst
  const counts = [
    counted(conditions.length, 'condition'),
    counted(records.length, 'Address', 'Addresses'),
  ]
  io.err(`  ${counts.join(' and ')} removed\n`)
  return failed === 0 ? 0 : 1
}

async function leaseStep(api: Api, namespace: string): Promise<ApiRequest[]> {
  const path = pathOf(resourceOf('Lease', namespace), leaseName)
  const lease = await ifThere(api.call({ method: 'GET', path }))
  return lease === undefined ? [] : [{ method: 'DELETE', path }]
}

/** With its uid, so that a Service that was recreated meanwhile is left alone. */
function conditionStep(service: Fields): ApiRequest[] {
  const { name, namespace, uid } = metaOf(service)
  const conditions = service.inner('status').each('conditions')
  if (!conditions.some((condition) => condition.text('type') === berth.addressed)) return []
  const gone = { $patch: 'delete', type: berth.addressed }
  return [
    {
      method: 'PATCH',
      path: pathOf(resourceOf('Service', namespace), name, 'status'),
      contentType: 'application/strategic-merge-patch+json',
      body: { metadata: { uid }, status: { conditions: [gone] } },
    },
  ]
}

/** An address that a user reserved is not ours to delete. */
function recordStep(address: Fields): ApiRequest[] {
  const { name, uid, labels } = metaOf(address)
  if (!isManaged(labels)) return []
  const path = pathOf(resourceOf('Address'), name)
  return [{ method: 'DELETE', path, body: { preconditions: { uid } } }]
}

/** Returns how many failed; an object that is already gone counts as done. */
async function runAll(api: Api, steps: readonly ApiRequest[], io: Io): Promise<number> {
  let failed = 0
  for (let at = 0; at < steps.length; at += atOnce) {
    const faults = await Promise.all(steps.slice(at, at + atOnce).map((step) => run(api, step, io)))
    failed += faults.filter((isDone) => !isDone).length
  }
  return failed
}

async function run(api: Api, request: ApiRequest, io: Io): Promise<boolean> {
  try {
    await ifThere(api.call(request))
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.err(`berth: ${error.message}\n`)
    return false
  }
}
