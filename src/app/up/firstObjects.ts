// What is there before anybody has applied anything? Our definitions, MetalLB's namespace and a
// Node for this machine, each as a cluster would have it.
import type { JsonObject } from '../../core/model/gate.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'
import { crdFolder, embeddedFolder } from '../../edge/manifests/shippedCrds.ts'

export type Machine = {
  readonly hostname: string
  /** The addresses that others reach it by. */
  readonly addresses: readonly string[]
}

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

export async function firstObjects(ownNamespace: string, machine: Machine): Promise<JsonObject[]> {
  const definitions: JsonObject[] = []
  for await (const read of readManifests([crdFolder, embeddedFolder], noInput())) {
    if (!read.ok) throw new Error(`${read.unreadable.source.file}: ${read.unreadable.why}`)
    definitions.push(withoutWebhook(read.manifest.json))
  }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ownNamespace } }
  return [...definitions, namespace, nodeOf(machine)]
}

/** Versions are converted in process here: there is nobody to ask. */
function withoutWebhook(json: JsonObject): JsonObject {
  const { spec } = json
  if (typeof spec !== 'object' || spec === null || !('conversion' in spec)) return json
  const { conversion: _, ...rest } = spec
  return { ...json, spec: rest }
}

const nodeOf = ({ hostname }: Machine): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: hostname, labels: { 'kubernetes.io/hostname': hostname } },
})

/** A status is not taken with the rest of a Node: it is written beside it. */
export const nodeStatus = ({ hostname, addresses }: Machine): JsonObject => ({
  status: {
    addresses: [
      ...addresses.map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: hostname },
    ],
    conditions: [{ type: 'Ready', status: 'True', reason: 'BerthUp', message: 'berth up runs' }],
  },
})
