// How is a plan carried out? As kubectl apply would write, each object under the version that was
// read: what somebody changes meanwhile is refused by the API server. The status of a pool or of a
// tenant may change, as it does when another object of the plan is written.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord, recordAt, textAt } from '../../../core/model/json.ts'
import { mergePatch } from '../../../core/model/mergePatch.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { kinds } from '../../../edge/kube/kinds.ts'
import { appliedOver, lastApplied } from '../live/appliedOver.ts'
import type { Loaded } from '../load.ts'
import { standsAs } from './savedPlan.ts'

type Work = {
  readonly api: Api
  readonly there: Loaded
  /** Told after each write. */
  readonly done: (what: string) => void
  /** Ends it between two writes. */
  readonly signal: AbortSignal
}
/** The ids of what has been written: a status may follow from that. */
type Step = Work & { readonly written: Set<string> }
/** With its namespace. */
type Wanted = { readonly id: string; readonly json: JsonObject }

/**
 * First what is applied, in the order of the table of kinds, then what is deleted. What is refused
 * while the others are there, such as a pool under a new name, is tried again at the end.
 */
export async function carryOut(
  work: Work,
  wanted: readonly Wanted[],
  deletions: readonly string[],
): Promise<void> {
  const step: Step = { ...work, written: new Set() }
  const later: Wanted[] = []
  for (const one of [...wanted].sort((a, b) => placeOf(a.id) - placeOf(b.id))) {
    try {
      await write(step, one)
    } catch (error) {
      const isRefused = error instanceof ApiError && [403, 422].includes(error.code)
      if (!isRefused || deletions.length === 0) throw error
      later.push(one)
    }
  }
  for (const id of deletions) await remove(step, id)
  for (const one of later) await write(step, one)
}

const placeOf = (id: string): number => kinds.findIndex(({ kind }) => id.startsWith(`${kind}/`))

async function write(step: Step, { id, json }: Wanted): Promise<void> {
  const { api, there, done, written } = step
  goesOn(step)
  const live = there.manifests.get(id)?.json
  const applied = JSON.stringify(json)
  if (live === undefined) {
    const { path } = placeIn(id)
    await api.call({ method: 'POST', path, body: noting(json, applied) })
    written.add(id)
    return done(`${id} created`)
  }
  const { status: _, ...before } = live
  const after = withPortsOf(live, appliedOver(there)(id, json))
  if (mergePatch(before, after) === undefined) return done(`${id} unchanged`)
  const patch = { ...recordAt({ patch: mergePatch(before, noting(after, applied)) }, 'patch') }
  const path = placeIn(id).object
  await asPlanned(step, { path, live }, (version) => {
    const metadata = { ...recordAt(patch, 'metadata'), ...version }
    const contentType = 'application/merge-patch+json'
    return api.call({ method: 'PATCH', path, contentType, body: { ...patch, metadata } })
  })
  written.add(id)
  done(`${id} configured`)
}

function goesOn({ signal }: Work): void {
  if (signal.aborted) throw new Fault('interrupted')
}

type Version = { readonly uid: unknown; readonly resourceVersion: unknown }

const versionOf = (json: JsonObject): Version => {
  const { uid, resourceVersion } = recordAt(json, 'metadata')
  return { uid, resourceVersion }
}

/** A status is written a few times while a plan is carried out. */
const mostTries = 5

async function asPlanned(
  { api, written }: Step,
  { path, live }: { readonly path: string; readonly live: JsonObject },
  send: (version: Version) => Promise<unknown>,
): Promise<void> {
  let version = versionOf(live)
  for (let tries = 1; ; tries++) {
    try {
      await send(version)
      return
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.code === 409 && tries < mostTries
      const now = isOutdated ? await ifThere(api.call({ method: 'GET', path })) : {}
      const isSame = isRecord(now) && versionOf(now).uid === version.uid && standsAs(live, now)
      if (!isSame || (written.size === 0 && givesMore(live, now))) throw error
      version = versionOf(now)
    }
  }
}

/** Before our first write it means that a Service has got an address from the pool since. */
function givesMore(before: JsonObject, now: JsonObject): boolean {
  const [was, is] = [recordAt(before, 'status'), recordAt(now, 'status')]
  const counts = ['assignedIPv4', 'assignedIPv6']
  return counts.some((count) => Number(is[count] ?? 0) > Number(was[count] ?? 0))
}

/** A port of a Service keeps what the API server gave it, such as its node port. */
function withPortsOf(live: JsonObject, after: JsonObject): JsonObject {
  const [spec, was] = [recordAt(after, 'spec'), portsIn(live)]
  if (after['kind'] !== 'Service' || !Array.isArray(spec['ports'])) return after
  const ports = portsIn(after).map((port) => {
    const same = was.find((one) => nameOf(one) === nameOf(port))
    return { ...same, ...port }
  })
  return { ...after, spec: { ...spec, ports } }
}

const portsIn = (service: JsonObject): readonly JsonObject[] => {
  const { ports } = recordAt(service, 'spec')
  return Array.isArray(ports) ? ports.filter(isRecord) : []
}

const nameOf = ({ port, protocol = 'TCP' }: JsonObject): string => `${protocol}/${port}`

async function remove(step: Step, id: string): Promise<void> {
  const { api, there, done, written } = step
  goesOn(step)
  const path = placeIn(id).object
  const live = there.manifests.get(id)?.json ?? {}
  await asPlanned(step, { path, live }, (preconditions) =>
    api.call({ method: 'DELETE', path, body: { preconditions } }),
  )
  written.add(id)
  done(`${id} deleted`)
}

/** So that kubectl apply goes on from here. */
function noting(json: JsonObject, applied: string): JsonObject {
  const metadata = recordAt(json, 'metadata')
  const annotations = { ...recordAt(metadata, 'annotations'), [lastApplied]: `${applied}\n` }
  return { ...json, metadata: { ...metadata, annotations } }
}

function placeIn(id: string): { readonly path: string; readonly object: string } {
  const [kind = '', ...names] = id.split('/')
  const row = kinds.find((one) => one.kind === kind)
  if (row === undefined) throw new TypeError(`${kind} is not in the table of kinds`)
  const [name = '', namespace] = names.toReversed()
  const { group, version, plural } = row
  const resource = { group, version, plural, namespace }
  return { path: pathOf(resource), object: pathOf(resource, name) }
}

export const idIn = (json: JsonObject): string => {
  const metadata = recordAt(json, 'metadata')
  return [textAt(json, 'kind'), textAt(metadata, 'namespace'), textAt(metadata, 'name')]
    .filter((part) => part !== '')
    .join('/')
}
