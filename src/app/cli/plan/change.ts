// What does a plan consist of? Manifests to apply, objects to delete, and what a prune would take.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord, recordAt, textAt } from '../../../core/model/json.ts'
import { didYouMean, meant } from '../../../core/model/meant.ts'
import { namesNear } from '../../../core/model/namesNear.ts'
import type { Parsed } from '../../../core/net/parsed.ts'
import { parsed, refused } from '../../../core/net/parsed.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { isManaged } from '../../../edge/kube/annotations.ts'
import { type KindRow, kinds } from '../../../edge/kube/kinds.ts'
import type { Read } from '../../../edge/manifests/manifest.ts'
import { type LabelRequirement, meetsLabels } from '../../../edge/store/http/labelSelector.ts'
import type { Loaded } from '../load.ts'
import type { Render } from './forMetallb.ts'

export type Change = {
  readonly reads: readonly Read[]
  /** As Kind/namespace/name or Kind/name. */
  readonly deletions: readonly string[]
  /** Of the Tenants, where MetalLB gives the addresses. */
  readonly render?: Render | undefined
}

const otherNames: Readonly<Record<string, string>> = { pool: 'IPAddressPool', svc: 'Service' }

/** Of `ipaddresspool/lan`, `services/shop/web` or `Tenant/north`, as kubectl would take it. */
export function idNamed(text: string, ownNamespace: string): Parsed<string> {
  const [what = '', ...names] = text.split('/')
  const row = rowNamed(what)
  const form = 'write KIND/NAME, or KIND/NAMESPACE/NAME'
  if (row === undefined) {
    // Almost any short word is close to part of a long name: such a word is no suggestion.
    const words = rowWords().filter((word) => word.length <= 2 * what.length + 2)
    const near = meant(what.toLowerCase(), words)
    return refused(`${JSON.stringify(what)} is not a kind that berth reads${near || `; ${form}`}`)
  }
  const [name = '', namespace] = names.toReversed()
  if (name === '' || namespace === '' || names.length > 2) {
    return refused(`${JSON.stringify(text)} names no object: ${form}`)
  }
  if (row.scope === 'cluster') {
    if (namespace !== undefined)
      return refused(`${row.kind} has no namespace: write ${what}/${name}`)
    return parsed(`${row.kind}/${name}`)
  }
  const usual = row.scope === 'ours' ? ownNamespace : 'default'
  return parsed(`${row.kind}/${namespace ?? usual}/${name}`)
}

function rowNamed(text: string): KindRow | undefined {
  const word = text.toLowerCase()
  return kinds
    .filter(({ cli }) => cli)
    .find(({ kind, plural }) => {
      return kind.toLowerCase() === word || plural === word || kind === otherNames[word]
    })
}

const rowWords = (): readonly string[] => [
  ...kinds.flatMap(({ cli, kind }) => (cli ? kind.toLowerCase() : [])),
  ...Object.keys(otherNames),
]

/** Which objects `--prune` looks at; absent for all. */
export type Pruned = { readonly labels: readonly LabelRequirement[] }

/** Kinds that users configure; nodes, endpoints and namespaces belong to the cluster. */
const prunedKinds = new Set(kinds.flatMap((row) => (row.pruned ? row.kind : [])))

/** What is there, was written by people, meets the labels, and is not in the manifests. */
export function prunedBy(
  { labels }: Pruned,
  cluster: Cluster,
  { there, reads }: { readonly there: Loaded; readonly reads: readonly Read[] },
): readonly string[] {
  const wanted = new Set(
    reads.flatMap((read) => (read.ok ? [cluster.idOf(read.manifest.json)] : [])),
  )
  return [...there.manifests]
    .filter(([id, { json }]) => {
      const isOfKind = prunedKinds.has(id.slice(0, id.indexOf('/')))
      return isOfKind && !wanted.has(id) && !isMade(json) && meetsLabels(labels, labelsOf(json))
    })
    .map(([id]) => id)
}

/** What follows from other objects: nobody has it in a manifest. */
function isMade(json: JsonObject): boolean {
  const { ownerReferences } = recordAt(json, 'metadata')
  const isOwned = Array.isArray(ownerReferences) && ownerReferences.length > 0
  return isOwned || isManaged(labelsOf(json)) || isServedByKubernetes(json)
}

const isServedByKubernetes = (json: JsonObject): boolean =>
  textAt(recordAt(json, 'metadata'), 'name') === 'kubernetes' &&
  recordAt(json, 'spec')['type'] === 'ClusterIP'

function labelsOf(json: JsonObject): Readonly<Record<string, string>> {
  const { labels } = recordAt(json, 'metadata')
  const entries = Object.entries(isRecord(labels) ? labels : {})
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** Why something would not be deleted is text. */
export const deleteAll = (cluster: Cluster, ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) =>
    cluster
      .delete(id)
      .map(({ message }) =>
        message === `${id} is not there`
          ? `there is no ${id}${idMeant(id, cluster)}`
          : `${id} would not be deleted: ${message}`,
      ),
  )

/** One of that kind with nearly that name, or with that name in another namespace. */
function idMeant(id: string, cluster: Cluster): string {
  const nameOf = (one: string) => one.slice(one.lastIndexOf('/') + 1)
  const [kind = ''] = id.split('/')
  const ofKind = cluster.ids().filter((one) => one.startsWith(`${kind}/`))
  const near = new Set(namesNear(nameOf(id), ofKind.map(nameOf)))
  return didYouMean(
    ofKind
      .filter((one) => near.has(nameOf(one)))
      .sort()
      .slice(0, 3),
  )
}
