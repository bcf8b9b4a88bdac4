// What is on the server? Services of ten teams, as people write them, and one large pool; and how
// they are reset to a state without addresses.
import type { ServiceView } from '../../src/core/model/service.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { listPages } from '../../src/edge/kube/api/listPages.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { readCrd } from '../../src/edge/kube/schema/crd.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { crdFolder } from '../../src/edge/manifests/shippedCrds.ts'
import { connectionFor, findEngine, type Kube, startKube } from '../../test/kube/harness.ts'
import { until } from '../../test/kube/waits.ts'
import { BareClient, inParallel } from './bareClient.ts'

export const ownNamespace = 'metallb-system'
export const services: Resource = { group: '', version: 'v1', plural: 'services' }
export const events: Resource = { group: '', version: 'v1', plural: 'events' }
export const addresses: Resource = { group: 'berth.dev', version: 'v1alpha1', plural: 'addresses' }
const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces' }
const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
}
const pools: Resource = {
  group: 'metallb.io',
  version: 'v1beta1',
  plural: 'ipaddresspools',
  namespace: ownNamespace,
}
const teams = 10

export type Town = {
  readonly kube: Kube
  readonly api: Api
  readonly client: BareClient
  readonly stop: () => Promise<void>
}

/** etcd waits for the disk here, as it does in a cluster. */
export async function buildTown(): Promise<Town> {
  const engine = findEngine()
  if ('why' in engine) throw new Error(engine.why)
  const kube = await startKube(engine.folder, { etcdFlags: [] })
  const api = newApi(connectionFor(kube, 'admin'))
  const client = new BareClient(kube)
  const stop = async (): Promise<void> => {
    api.close()
    client.close()
    await kube.stop()
  }
  try {
    await installCrds(api)
    for (const name of [
      ownNamespace,
      ...Array.from({ length: teams }, (_, team) => teamOf(team)),
    ]) {
      await api.call({ method: 'POST', path: pathOf(namespaces), body: { metadata: { name } } })
    }
    return { kube, api, client, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function* noInput(): AsyncGenerator<string> {
  yield ''
}

/** Ends once all of them are served, each in the version that is stored. */
export async function installCrds(api: Api, folder = crdFolder): Promise<void> {
  const path = pathOf(definitions)
  const stored: Resource[] = []
  for await (const read of readManifests([folder], noInput())) {
    if (!read.ok) throw new Error(read.unreadable.why)
    await api.call({ method: 'POST', path, body: read.manifest.json })
    const { group = '', plural = '', versions = [] } = readCrd(read.manifest.json) ?? {}
    const version = versions.find(({ storage }) => storage)?.name ?? ''
    stored.push({ group, version, plural })
  }
  for (const resource of stored) {
    await until(`${resource.plural} are served`, () =>
      api.call({ method: 'GET', path: pathOf(resource) }).catch(() => undefined),
    )
  }
}

export async function setPool(
  { api }: Town,
  name: string,
  ranges: readonly string[],
): Promise<void> {
  const query = { fieldManager: 'bench', force: 'true' }
  const contentType = 'application/apply-patch+yaml'
  const body = {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name, namespace: ownNamespace },
    spec: { addresses: ranges },
  }
  await api.call({ method: 'PATCH', path: pathOf(pools, name), query, contentType, body })
}

const teamOf = (number: number): string => `team-${number % teams}`
export const nameOf = (number: number): string => `web-${String(number).padStart(5, '0')}`
export const keyOf = (number: number): string => `${teamOf(number)}/${nameOf(number)}`
export const upTo = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, index) => first + index)

/** Requests a pool by name, if one is given. */
export async function createService(
  { client }: Town,
  number: number,
  pool?: string,
): Promise<void> {
  const annotations = pool === undefined ? {} : { 'metallb.io/address-pool': pool }
  const labels = { app: nameOf(number), 'app.kubernetes.io/part-of': 'shop' }
  const port = (name: string, value: number) => ({ name, port: value, targetPort: value + 8_000 })
  const body = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: nameOf(number), labels, annotations },
    spec: {
      type: 'LoadBalancer',
      // There are fewer node ports than Services.
      allocateLoadBalancerNodePorts: false,
      selector: { app: nameOf(number) },
      ports: [port('http', 80), port('https', 443)],
    },
  }
  await client.send({
    method: 'POST',
    path: pathOf({ ...services, namespace: teamOf(number) }),
    body,
  })
}

export async function deleteService({ client }: Town, number: number): Promise<void> {
  const path = pathOf({ ...services, namespace: teamOf(number) }, nameOf(number))
  await client.send({ method: 'DELETE', path })
}

/** The Services that need an address, as they are now. */
export async function readServices(town: Town): Promise<ServiceView[]> {
  const views: ServiceView[] = []
  for await (const json of objectsOf(town, services)) {
    const decoded = decode(json)
    if (decoded.kind !== 'view' || decoded.view.kind !== 'Service') continue
    if (decoded.view.isLoadBalancer) views.push(decoded.view)
  }
  return views
}

async function* objectsOf({ api }: Town, resource: Resource): AsyncGenerator<unknown> {
  for await (const { items } of listPages(api, resource, new AbortController().signal)) yield* items
}

const bare = {
  metadata: { annotations: { 'metallb.io/ip-allocated-from-pool': null } },
  status: {
    loadBalancer: { ingress: null },
    conditions: [{ $patch: 'delete', type: 'berth.dev/Addressed' }],
  },
}

/** Removes all addresses and every trace of them. */
export async function clear(town: Town): Promise<void> {
  const { client } = town
  const known: string[] = []
  for await (const json of objectsOf(town, addresses)) {
    known.push(new Fields(json, []).inner('metadata').text('name'))
  }
  await inParallel(32, known, (name) =>
    client.send({ method: 'DELETE', path: pathOf(addresses, name) }),
  )
  const shown = (await readServices(town)).filter(({ ingress }) => ingress.length > 0)
  const contentType = 'application/strategic-merge-patch+json'
  await inParallel(32, shown, ({ namespace, name }) => {
    const path = pathOf({ ...services, namespace }, name, 'status')
    return client.send({ method: 'PATCH', path, contentType, body: bare })
  })
}
