// What is put into the API at the start? What belongs there always, then what was asked for.
import type { JsonObject } from '../../core/model/gate.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'
import { applyObjects } from './applyObjects.ts'
import { firstObjects, nodeStatus } from './firstObjects.ts'
import { thisMachine } from './machine.ts'

export async function bringFirst(api: Api, ownNamespace: string): Promise<void> {
  const machine = thisMachine()
  for await (const { object, why } of applyObjects(
    api,
    await firstObjects(ownNamespace, machine),
  )) {
    if (why !== undefined) throw new Fault(`${object} cannot be made: ${why}`)
  }
  const nodes = { group: '', version: 'v1', plural: 'nodes' }
  await api.call({
    method: 'PATCH',
    path: pathOf(nodes, machine.hostname, 'status'),
    // Lists are replaced: merged by type, an address of before would stay.
    contentType: 'application/merge-patch+json',
    body: nodeStatus(machine),
  })
}

type Brought = { readonly applied: number; readonly troubles: readonly string[] }

export async function bringManifests(api: Api, paths: readonly string[]): Promise<Brought> {
  const objects: JsonObject[] = []
  const troubles: string[] = []
  for await (const read of readManifests(paths, noInput())) {
    if (read.ok) objects.push(read.manifest.json)
    else {
      const { source, why } = read.unreadable
      troubles.push(`${source.file}:${source.line}: ${why}`)
    }
  }
  let applied = 0
  for await (const { object, why } of applyObjects(api, objects)) {
    if (why === undefined) applied += 1
    else troubles.push(`${object}: ${why}`)
  }
  return { applied, troubles }
}

async function* noInput(): AsyncGenerator<string> {
  yield ''
}
