// Which objects exist before anyone applies anything? Our definitions, MetalLB's namespace and,
// where it is one, a Node for this machine, each as in a cluster.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/model/gate.ts'
import { typeOf } from '../../edge/kube/kinds.ts'
import type { Objects } from '../../edge/store/storage/objects.ts'
import { jsonOf, shippedDefinitions } from './definitions.ts'

export type Machine = {
  readonly hostname: string
  /** The addresses under which others reach it. */
  readonly addresses: readonly string[]
}

type FirstObject = {
  readonly resource: string
  readonly name: string
  /** The text it is created from. */
  readonly text: string
  readonly json: () => JsonObject
}

const definitions = 'customresourcedefinitions.apiextensions.k8s.io'
/** A hash of the source text; if it is unchanged, the object need not be created again. */
const mark = 'berth.dev/made-of'

/** Objects that are missing or were created from another text. */
export function missingObjects(
  objects: Pick<Objects, 'get'>,
  ownNamespace: string,
  machine: Machine | undefined,
): readonly JsonObject[] {
  const nodes = machine === undefined ? [] : [nodeOf(machine)]
  const all = [...ourDefinitions(), namespaceOf(ownNamespace), ...nodes]
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
  const json = { ...typeOf('Namespace'), metadata: { name } }
  return { resource: 'namespaces', name, text: JSON.stringify(json), json: () => json }
}

function nodeOf({ hostname: name }: Machine): FirstObject {
  const labels = { 'kubernetes.io/hostname': name }
  const json = { ...typeOf('Node'), metadata: { name, labels } }
  return { resource: 'nodes', name, text: JSON.stringify(json), json: () => json }
}

function withLabel(json: JsonObject, name: string, value: string): JsonObject {
  const metadata = Object(json['metadata'])
  return { ...json, metadata: { ...metadata, labels: { ...metadata.labels, [name]: value } } }
}

/** Versions are converted in process: there is no webhook to call. */
function withoutWebhook(json: JsonObject): JsonObject {
  const { spec } = json
  if (typeof spec !== 'object' || spec === null || !('conversion' in spec)) return json
  const { conversion: _, ...rest } = spec
  return { ...json, spec: rest }
}

/** Written separately, because the API ignores a status in other writes. */
export const nodeStatus = ({ hostname, addresses }: Machine): JsonObject => ({
  status: {
    addresses: [
      ...addresses.map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: hostname },
    ],
    conditions: [{ type: 'Ready', status: 'True', reason: 'BerthUp', message: 'berth up runs' }],
  },
})
