// What is there before anybody has applied anything? Our definitions, MetalLB's namespace and a
// Node for this machine, each as a cluster would have it.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/model/gate.ts'
import type { Objects } from '../../edge/store/storage/objects.ts'
import { jsonOf, shippedDefinitions } from './definitions.ts'

export type Machine = {
  readonly hostname: string
  /** The addresses that others reach it by. */
  readonly addresses: readonly string[]
}

type FirstObject = {
  readonly resource: string
  readonly name: string
  /** All that it is made of. */
  readonly text: string
  readonly json: () => JsonObject
}

const definitions = 'customresourcedefinitions.apiextensions.k8s.io'
/** Says what an object was made of: under the same it need not be made again. */
const mark = 'berth.dev/made-of'

/** Those that are not there yet, or were made of something else. */
export function missingObjects(
  objects: Pick<Objects, 'get'>,
  ownNamespace: string,
  machine: Machine,
): readonly JsonObject[] {
  const all = [...ourDefinitions(), namespaceOf(ownNamespace), nodeOf(machine)]
  return all.flatMap(({ resource, name, text, json }) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const isThere = objects.get(resource, '', name)?.labels[mark] === hash
    return isThere ? [] : [withLabel(json(), mark, hash)]
  })
}

const ourDefinitions = (): readonly FirstObject[] =>
  shippedDefinitions().map((definition) => ({
    resource: definitions,
    ...definition,
    json: () => withoutWebhook(jsonOf(definition)),
  }))

function namespaceOf(name: string): FirstObject {
  const json = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  return { resource: 'namespaces', name, text: JSON.stringify(json), json: () => json }
}

function nodeOf({ hostname: name }: Machine): FirstObject {
  const labels = { 'kubernetes.io/hostname': name }
  const json = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } }
  return { resource: 'nodes', name, text: JSON.stringify(json), json: () => json }
}

function withLabel(json: JsonObject, name: string, value: string): JsonObject {
  const metadata = Object(json['metadata'])
  return { ...json, metadata: { ...metadata, labels: { ...metadata.labels, [name]: value } } }
}

/** Versions are converted in process here: there is nobody to ask. */
function withoutWebhook(json: JsonObject): JsonObject {
  const { spec } = json
  if (typeof spec !== 'object' || spec === null || !('conversion' in spec)) return json
  const { conversion: _, ...rest } = spec
  return { ...json, spec: rest }
}

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
