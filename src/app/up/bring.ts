// What is put into the API at the start? The built-in objects, then the requested manifests.

import type { JsonObject } from '../../core/model/gate.ts'
import { counted } from '../../core/net/counted.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'
import type { Objects } from '../../edge/store/storage/objects.ts'
import type { Io } from '../cli/io.ts'
import { applyObjects } from './applyObjects.ts'
import { missingObjects, nodeStatus } from './firstObjects.ts'
import { thisMachine } from './machine.ts'

type First = { readonly ownNamespace: string; readonly isNode: boolean }

export async function bringFirst(
  api: Api,
  objects: Pick<Objects, 'get'>,
  { ownNamespace, isNode }: First,
): Promise<void> {
  const machine = isNode ? thisMachine() : undefined
  const missing = missingObjects(objects, ownNamespace, machine)
  for await (const { object, why } of applyObjects(api, missing)) {
    if (why !== undefined) throw new Fault(`${object} cannot be created: ${why}`)
  }
  if (machine === undefined) return
  const nodes = resourceOf('Node')
  await api.call({
    method: 'PATCH',
    path: pathOf(nodes, machine.hostname, 'status'),
    // Replaces lists: merged by type, an old address would stay.
    contentType: 'application/merge-patch+json',
    body: nodeStatus(machine),
  })
}

type Source = { readonly file: string; readonly line: number }

/** Unreadable and refused objects are reported with their position and do not stop the rest. */
export async function bringManifests(api: Api, paths: readonly string[], io: Io): Promise<void> {
  const sources = new Map<JsonObject, Source>()
  const troubles: string[] = []
  const trouble = (source: Source | undefined, why: string): void => {
    troubles.push(`berth: ${source?.file}:${source?.line}: ${why}\n`)
  }
  for await (const read of readManifests(paths, noInput())) {
    if (read.ok) sources.set(read.manifest.json, read.manifest.source)
    else trouble(read.unreadable.source, read.unreadable.why)
  }
  let applied = 0
  for await (const { json, object, why } of applyObjects(api, [...sources.keys()])) {
    if (why === undefined) applied += 1
    else trouble(sources.get(json), `${object}: ${why}`)
  }
  io.out(`applied     ${counted(applied, 'object')} from ${paths.join(', ')}\n`)
  for (const text of troubles) io.err(text)
}

async function* noInput(): AsyncGenerator<string> {
  yield ''
}
