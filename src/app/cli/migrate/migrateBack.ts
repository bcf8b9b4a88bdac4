// berth migrate back: what does Berth remove so that MetalLB can take over again? Conditions and
// records; Services keep their addresses.

import { counted } from '../../../core/net/counted.ts'
import { leaseName } from '../../../edge/kube/adoption.ts'
import { berth, isManaged } from '../../../edge/kube/annotations.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
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
  readonly mode: 'do' | 'dry-run'
}
type Step = { readonly what: string; readonly request: ApiRequest }

/** As many as the client sends at once, so that no request times out in its queue. */
const atOnce = 32

export async function migrateBack({ api, io, namespace, mode }: Back): Promise<Exit> {
  const leader = await readLeader(api, namespace, Date.now())
  if (leader !== undefined && !leader.isExpired && mode === 'do') {
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
  const steps = [...(await leaseStep(api, namespace)), ...conditions, ...records]
  const failed = mode === 'dry-run' ? 0 : await runAll(api, steps, io)
  if (mode === 'dry-run') for (const { what } of steps) io.out(`${what}\n`)
  const done = mode === 'dry-run' ? 'would be removed' : `removed, ${failed} failed`
  const counts = [
    counted(conditions.length, 'condition'),
    counted(records.length, 'Address', 'Addresses'),
  ]
  io.out(`${counts.join(' and ')} ${done}\n`)
  return failed === 0 ? 0 : 1
}

async function leaseStep(api: Api, namespace: string): Promise<Step[]> {
  const path = pathOf(resourceOf('Lease', namespace), leaseName)
  try {
    await api.call({ method: 'GET', path })
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return []
    throw error
  }
  return [{ what: `Lease ${namespace}/${leaseName} deleted`, request: { method: 'DELETE', path } }]
}

/** With its uid, so that a Service that was recreated meanwhile is left alone. */
function conditionStep(service: Fields): Step[] {
  const { name, namespace, uid } = metaOf(service)
  const conditions = service.inner('status').each('conditions')
  if (!conditions.some((condition) => condition.text('type') === berth.addressed)) return []
  const gone = { $patch: 'delete', type: berth.addressed }
  return [
    {
      what: `Service ${namespace}/${name}: condition ${berth.addressed} removed`,
      request: {
        method: 'PATCH',
        path: pathOf(resourceOf('Service', namespace), name, 'status'),
        contentType: 'application/strategic-merge-patch+json',
        body: { metadata: { uid }, status: { conditions: [gone] } },
      },
    },
  ]
}

/** An address that a user reserved is not ours to delete. */
function recordStep(address: Fields): Step[] {
  const { name, uid, labels } = metaOf(address)
  if (!isManaged(labels)) return []
  const path = pathOf(resourceOf('Address'), name)
  const request = { method: 'DELETE', path, body: { preconditions: { uid } } } as const
  return [{ what: `Address ${name} deleted`, request }]
}

/** Returns how many failed; an object that is already gone counts as done. */
async function runAll(api: Api, steps: readonly Step[], io: Io): Promise<number> {
  let failed = 0
  for (let at = 0; at < steps.length; at += atOnce) {
    const faults = await Promise.all(steps.slice(at, at + atOnce).map((step) => run(api, step, io)))
    failed += faults.filter((isDone) => !isDone).length
  }
  return failed
}

async function run(api: Api, { what, request }: Step, io: Io): Promise<boolean> {
  try {
    await api.call(request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code !== 404) {
      io.err(`berth: ${error.message}\n`)
      return false
    }
  }
  io.out(`${what}\n`)
  return true
}
