// What does a running API say? Its objects through the one admission into a virtual cluster, as
// files are; nothing is written.
import { hostKinds, madeKinds } from '../../../core/policy/made/madeKinds.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { Resource } from '../../../edge/kube/api/resource.ts'
import type { Read } from '../../../edge/manifests/manifest.ts'
import { byAge } from '../fromApi.ts'
import { admitAll, type Loaded, type Session } from '../load.ts'
import { type LiveObject, listInstalled } from './listAll.ts'
import { liveKinds } from './liveKinds.ts'
import { readSecrets, secretNamedBy } from './readSecrets.ts'

export async function loadLive(session: Session, api: Api): Promise<Loaded> {
  const { cluster, io } = session
  const lists = await Promise.all(
    liveKinds.map(async (one) => ({ kind: one.kind, reads: await readsOf(api, one, io.signal) })),
  )
  const reads = lists.flatMap((one) => one.reads ?? [])
  const named = reads.flatMap((one) => (one.ok ? secretNamedBy(one.manifest.json) : []))
  const { ownNamespace } = cluster.world
  // A list of all pods is long: routes to them are shown as they are, and not decided again.
  cluster.world.apply({ type: 'served', kind: 'Pod', isServed: false })
  const missing = new Set(lists.filter((one) => one.reads === undefined).map(({ kind }) => kind))
  for (const kind of [...madeKinds, ...hostKinds].filter((one) => missing.has(one))) {
    cluster.world.apply({ type: 'served', kind, isServed: false })
  }
  const namespaces = lists.find(({ kind }) => kind === 'Namespace')?.reads ?? []
  cluster.knowsNamespaces = namespaces.every(({ ok }) => ok)
  const secrets = await readSecrets(api, ownNamespace, [...new Set(named)].sort())
  const all = [...secrets.unreadable.map(unread), ...secrets.found.map(read), ...reads]
  return admitAll(session, all, (_, json) => cluster.hold(json))
}

/**
 * A kind that the API does not give out is told, and the rest is read all the same. Undefined where
 * it is not installed.
 */
async function readsOf(
  api: Api,
  resource: Resource,
  signal: AbortSignal,
): Promise<Read[] | undefined> {
  try {
    return (await listInstalled(api, resource, signal))?.sort(byAge).map(read)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 401) throw error
    return [unread(error.message)]
  }
}

/** Nowhere: what comes from an API stands in no file. */
const source = { file: '', line: 0 }
const read = (json: LiveObject): Read => ({
  ok: true,
  manifest: { json, source, lineOf: () => 0 },
})
const unread = (why: string): Read => ({ ok: false, unreadable: { source, why } })
