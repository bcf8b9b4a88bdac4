// What is put into the API at the start? What belongs there always, then what was asked for.

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

export async function bringFirst(
  api: Api,
  objects: Pick<Objects, 'get'>,
  ownNamespace: string,
): Promise<void> {
  const machine = thisMachine()
  const missing = missingObjects(objects, ownNamespace, machine)
  for await (const { object, why } of applyObjects(api, missing)) {
    if (why !== undefined) throw new Fault(`${object} cannot be made: ${why}`)
  }
  const nodes = resourceOf('Node')
  await api.call({
    method: 'PATCH',
    path: pathOf(nodes, machine.hostname, 'status'),
    // Lists are replaced: merged by type, an address of before would stay.
    contentType: 'application/merge-patch+json',
    body: nodeStatus(machine),
  })
}

type Place = { readonly file: string; readonly line: number }

/** What cannot be read or is refused is told with where it is, and stops nothing else. */
export async function bringManifests(api: Api, paths: readonly string[], io: Io): Promise<void> {
  const places = new Map<JsonObject, Place>()
  const troubles: string[] = []
  const trouble = (place: Place | undefined, why: string): void => {
    troubles.push(`berth: ${place?.file}:${place?.line}: ${why}\n`)
  }
  for await (const read of readManifests(paths, noInput())) {
    if (read.ok) places.set(read.manifest.json, read.manifest.source)
    else trouble(read.unreadable.source, read.unreadable.why)
  }
  let applied = 0
  for await (const { json, object, why } of applyObjects(api, [...places.keys()])) {
    if (why === undefined) applied += 1
    else trouble(places.get(json), `${object}: ${why}`)
  }
  io.out(`applied     ${counted(applied, 'object')} of ${paths.join(', ')}\n`)
  for (const text of troubles) io.err(text)
}

async function* noInput(): AsyncGenerator<string> {
  yield ''
}
