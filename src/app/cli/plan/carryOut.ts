// How is a plan carried out? As kubectl apply would write, each object under the version that was
// read: what somebody changes meanwhile is refused by the API server. The status of a pool or of a
// tenant may change, as it does when another object of the plan is written.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord, recordAt, textAt } from '../../../core/model/json.ts'
import { mergePatch } from '../../../core/model/mergePatch.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
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
}
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
  const later: Wanted[] = []
  for (const one of [...wanted].sort((a, b) => placeOf(a.id) - placeOf(b.id))) {
    try {
      await write(work, one)
    } catch (error) {
      const isRefused = error instanceof ApiError && [403, 422].includes(error.code)
      if (!isRefused || deletions.length === 0) throw error
      later.push(one)
    }
  }
  for (const id of deletions) await remove(work, id)
  for (const one of later) await write(work, one)
}

const placeOf = (id: string): number => kinds.findIndex(({ kind }) => id.startsWith(`${kind}/`))

async function write({ api, there, done }: Work, { id, json }: Wanted): Promise<void> {
  const live = there.manifests.get(id)?.json
  const applied = JSON.stringify(json)
  if (live === undefined) {
    const { path } = placeIn(id)
    await api.call({ method: 'POST', path, body: noting(json, applied) })
    return done(`${id} created`)
  }
  const { status: _, ...before } = live
  const after = withPortsOf(live, appliedOver(there)(id, json))
  if (mergePatch(before, after) === undefined) return done(`${id} unchanged`)
  const patch = { ...recordAt({ patch: mergePatch(before, noting(after, applied)) }, 'patch') }
  const path = placeIn(id).object
  await asPlanned({ api, path, live }, (version) => {
    const metadata = { ...recordAt(patch, 'metadata'), ...version }
    const contentType = 'application/merge-patch+json'
    return api.call({ method: 'PATCH', path, contentType, body: { ...patch, metadata } })
  })
  done(`${id} configured`)
}

type Version = { readonly uid: unknown; readonly resourceVersion: unknown }

const versionOf = (json: JsonObject): Version => {
  const { uid, resourceVersion } = recordAt(json, 'metadata')
  return { uid, resourceVersion }
}

/** A status is written a few times while a plan is carried out. */
const mostTries = 5

async function asPlanned(
  of: { readonly api: Api; readonly path: string; readonly live: JsonObject },
  send: (version: Version) => Promise<unknown>,
): Promise<void> {
  let version = versionOf(of.live)
  for (let tries = 1; ; tries++) {
    try {
      await send(version)
      return
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.code === 409 && tries < mostTries
      const now = isOutdated ? await ifThere(of.api.call({ method: 'GET', path: of.path })) : {}
      const isSame = isRecord(now) && versionOf(now).uid === version.uid && standsAs(of.live, now)
      if (!isSame) throw error
      version = versionOf(now)
    }
  }
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

async function remove({ api, there, done }: Work, id: string): Promise<void> {
  const path = placeIn(id).object
  await asPlanned({ api, path, live: there.manifests.get(id)?.json ?? {} }, (preconditions) =>
    api.call({ method: 'DELETE', path, body: { preconditions } }),
  )
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
