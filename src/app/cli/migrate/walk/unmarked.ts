// Which of Helm's marks go with MetalLB? Those by which its own releases know what stays.
import { metaOf } from '../../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import type { KindName } from '../../../../edge/kube/kinds.ts'
import { metallbDefinitions } from '../checkDefinitions.ts'
import { configuredKinds } from '../configuredKinds.ts'
import { releaseOf } from '../helmRelease.ts'
import { controllersIn, speakersIn } from '../metallb.ts'
import { change, listed, readOne, type Walk } from './walk.ts'

/**
 * What stays of MetalLB's releases belongs to none: another one may take it over. What somebody
 * installs by a release of his own stays in that one.
 */
export async function unmarked(walk: Walk): Promise<void> {
  const { namespace } = walk
  const definitions = metallbDefinitions(
    (await listed(walk, 'CustomResourceDefinition')).map(({ json }) => json),
  )
  const releases = new Set(
    [...definitions, ...(await metallbWorkloads(walk))].map(releaseOf).filter(isNamed),
  )
  const isTheirs = (one: Fields) => releases.has(releaseOf(one) ?? '')
  for (const kind of configuredKinds) {
    const theirs = (await listed(walk, kind, namespace)).filter(isTheirs)
    for (const one of theirs) await unmark(walk, kind, one)
  }
  const own = await readOne(walk, { kind: 'Namespace', name: namespace })
  if (own !== undefined && isTheirs(own)) await unmark(walk, 'Namespace', own)
  // Last: their marks say which releases these are.
  for (const crd of definitions) await unmark(walk, 'CustomResourceDefinition', crd)
}

const isNamed = (release: string | undefined): release is string => release !== undefined

async function metallbWorkloads(walk: Walk): Promise<Fields[]> {
  const { namespace } = walk
  const all = async (kind: KindName) =>
    (await listed(walk, kind, namespace)).map(({ json }) => json)
  const found = [...controllersIn(await all('Deployment')), ...speakersIn(await all('DaemonSet'))]
  return found.map(({ object }) => object)
}

const helmMarks = new Set(['meta.helm.sh/release-name', 'meta.helm.sh/release-namespace'])

async function unmark(walk: Walk, kind: KindName, object: Fields): Promise<void> {
  const { name, namespace } = metaOf(object)
  if (releaseOf(object) === undefined) return
  await change(walk, { kind, name, ...(namespace === '' ? {} : { namespace }) }, (json) => {
    const metadata = new Fields(json['metadata'], [])
    const all = Object.entries(metadata.labels('annotations'))
    const annotations = Object.fromEntries(all.filter(([key]) => !helmMarks.has(key)))
    const { 'app.kubernetes.io/managed-by': _, ...labels } = metadata.labels('labels')
    return { ...json, metadata: { ...metadata.json, labels, annotations } }
  })
}
