// Is a node drained, and by whom? The label says so, and others may have set it too.
import { drainValue, excludeLabel } from '../../../core/model/node.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'

type Mark =
  | { readonly kind: 'none'; readonly resourceVersion: string }
  | { readonly kind: 'ours' }
  | { readonly kind: 'another'; readonly value: string }
  | { readonly kind: 'no-node' }

const nodes = resourceOf('Node')

export async function readMark(api: Api, node: string): Promise<Mark> {
  const json = await ifThere(api.call({ method: 'GET', path: pathOf(nodes, node) }))
  if (json === undefined) return { kind: 'no-node' }
  const metadata = new Fields(json, []).inner('metadata')
  const value = metadata.labels('labels')[excludeLabel]
  if (value === undefined) {
    return { kind: 'none', resourceVersion: metadata.text('resourceVersion') }
  }
  return value === drainValue ? { kind: 'ours' } : { kind: 'another', value }
}

/** Sends the resourceVersion, so that the API refuses it if the Node has changed since. */
export async function setMark(api: Api, node: string, resourceVersion: string): Promise<void> {
  const labels = { [excludeLabel]: drainValue }
  await api.call({
    method: 'PATCH',
    path: pathOf(nodes, node),
    contentType: 'application/merge-patch+json',
    body: { metadata: { resourceVersion, labels } },
  })
}

/** Only that value: one that somebody else has set meanwhile stays. */
export async function removeMark(api: Api, node: string): Promise<void> {
  const path = `/metadata/labels/${excludeLabel.replaceAll('/', '~1')}`
  await api.call({
    method: 'PATCH',
    path: pathOf(nodes, node),
    contentType: 'application/json-patch+json',
    body: [
      { op: 'test', path, value: drainValue },
      { op: 'remove', path },
    ],
  })
}
