// Which definitions do we ship, and how do they get onto the API server under test?
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Api } from '../../src/edge/kube/api/client.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { type Crd, readCrd } from '../../src/edge/kube/schema/crd.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { embeddedFolder } from '../../src/edge/manifests/shippedCrds.ts'
import { apply, type KubeObject, verbs } from './cluster.ts'
import { until } from './waits.ts'

export const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
}
const folder = fileURLToPath(new URL('../../deploy/crds', import.meta.url))

export type Shipped = { readonly name: string; readonly json: object; readonly crd: Crd }

export async function shippedCrds(from: string = folder): Promise<Shipped[]> {
  const reads = await Array.fromAsync(readManifests([from], Readable.from([])))
  return reads.flatMap((read) => {
    if (!read.ok) throw new Error(`${read.unreadable.source.file}: ${read.unreadable.why}`)
    const { json } = read.manifest
    const crd = readCrd(json)
    if (crd === undefined) throw new Error(`${read.manifest.source.file} is no definition`)
    return [{ name: `${crd.plural}.${crd.group}`, json, crd }]
  })
}

type Condition = { readonly type: string; readonly status: string }

export const conditionsOf = ({ status }: KubeObject): Readonly<Record<string, string>> => {
  const conditions = (status?.['conditions'] ?? []) as readonly Condition[]
  return Object.fromEntries(conditions.map(({ type, status: is }) => [type, is]))
}

/** Dozens at once, on a server that has just begun. */
const definedMs = 120_000

/** Ends once objects of that kind can be read and written: until then 404, then 429 for a while. */
export async function defineCrd(api: Api, name: string, body: object): Promise<KubeObject> {
  const query = { fieldManager: 'test', force: 'true' }
  await verbs(api, definitions).patch(name, { type: apply, body, query })
  const served = async () => {
    const defined = await verbs(api, definitions).get(name)
    if (conditionsOf(defined)['Established'] !== 'True') return undefined
    const objects = verbs(api, storedIn(body))
    return objects.list().then(
      () => defined,
      () => undefined,
    )
  }
  return until(`${name} is served`, served, definedMs)
}

/** Ends once it is gone, with its objects; what is going cannot be defined again. */
export async function forgetCrd(api: Api, name: string): Promise<void> {
  const crds = verbs(api, definitions)
  await crds.remove(name)
  await until(`${name} is gone`, () =>
    crds.get(name).then(
      () => undefined,
      (error: { readonly code?: number }) => (error.code === 404 ? true : undefined),
    ),
  )
}

function storedIn(definition: object): Resource {
  const crd = readCrd(definition)
  const version = crd?.versions.find(({ storage }) => storage)
  if (crd === undefined || version === undefined) throw new Error('no definition')
  return { group: crd.group, version: version.name, plural: crd.plural }
}

export async function installCrds(api: Api): Promise<void> {
  const shipped = await shippedCrds()
  await Promise.all(shipped.map(({ name, json }) => defineCrd(api, name, json)))
}

/** Those of others for which things are made: Multus and nmstate. */
export async function installCrdsOfOthers(api: Api): Promise<void> {
  const others = await shippedCrds(embeddedFolder)
  await Promise.all(others.map(({ name, json }) => defineCrd(api, name, json)))
}

export const addresses: Resource = { group: 'berth.dev', version: 'v1alpha1', plural: 'addresses' }

/** A small kind of this suite's own, in one version, with a status. */
export const smallCrd = (plural: string, schema: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.contract.berth.dev` },
  spec: {
    group: 'contract.berth.dev',
    scope: 'Cluster',
    names: { kind: kindOf(plural), plural },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
})

const kindOf = (plural: string): string => `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`
