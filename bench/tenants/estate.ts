// What is on the server? A hundred tenants with eight networks each, and thirty Services of every
// one of them, which all ask for the same names.
import { gatesOf } from '../../src/app/cli/gates.ts'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { isRecord, recordAt, textAt } from '../../src/core/model/json.ts'
import { tenantObjects } from '../../src/core/policy/made/tenantObjects.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import { kinds } from '../../src/edge/kube/kinds.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { inParallel } from '../kube/bareClient.ts'
import { ownNamespace, services, type Town, upTo } from '../kube/town.ts'

export type Size = {
  readonly tenants: number
  readonly networks: number
  /** Of each tenant. */
  readonly services: number
}

export const tenantsKind: Resource = { group: 'berth.dev', version: 'v1alpha1', plural: 'tenants' }
export const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces' }
export const tenantName = (number: number): string => `cloud-${number}`

/** Network n of tenant t is 10.t.n.0/24, and all say `net-n`. */
export function tenantOf(number: number, size: Size, last = 99): JsonObject {
  const name = tenantName(number)
  return {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name },
    spec: {
      namespaces: { names: [name] },
      generate: ['Pools', 'Attachments'],
      networks: upTo(0, size.networks).map((network) => ({
        name: `net-${network}`,
        cidrs: [`10.${number}.${network}.0/24`],
        interface: 'eno1',
        vlan: 1 + ((number * size.networks + network) % 4_000),
        loadBalancer: [`10.${number}.${network}.80-10.${number}.${network}.${last}`],
        attachments: [`10.${number}.${network}.30-10.${number}.${network}.60`],
      })),
    },
  }
}

/** As operators write them. */
export const serviceIn = (network: string, name = 'api'): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, annotations: { 'metallb.universe.tf/address-pool': network } },
  spec: {
    type: 'LoadBalancer',
    allocateLoadBalancerNodePorts: false,
    selector: { app: name },
    ports: [{ name: 'https', port: 443, targetPort: 8_443 }],
  },
})

/** Namespaces and Services, as they are before anybody gives addresses. */
export async function populate({ client }: Town, size: Size): Promise<void> {
  const all = upTo(0, size.tenants)
  await inParallel(8, all, (number) =>
    client.send({
      method: 'POST',
      path: pathOf(namespaces),
      body: { metadata: { name: tenantName(number) } },
    }),
  )
  const places = all.flatMap((number) =>
    upTo(0, size.services).map((index) => ({ namespace: tenantName(number), index })),
  )
  await inParallel(8, places, ({ namespace, index }) =>
    client.send({
      method: 'POST',
      path: pathOf({ ...services, namespace }),
      body: serviceIn(`net-${index % size.networks}`, `api-${index}`),
    }),
  )
}

export async function createTenants({ client }: Town, size: Size): Promise<void> {
  await inParallel(8, upTo(0, size.tenants), (number) =>
    client.send({ method: 'POST', path: pathOf(tenantsKind), body: tenantOf(number, size) }),
  )
}

/** What Berth makes from them, as it writes it. */
export async function madeFrom(size: Size): Promise<readonly JsonObject[]> {
  const gate = gatesOf(await readCrds())('native')
  const cluster = new Cluster(gate, settings)
  for (const number of upTo(0, size.tenants)) {
    const name = tenantName(number)
    cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const applied = cluster.apply(tenantOf(number, size))
    if (!applied.ok) throw new Error(JSON.stringify(applied.errors))
  }
  const { world } = cluster
  return [...world.all('Tenant').values()].flatMap((tenant) => tenantObjects(world, tenant))
}

export function pathTo(object: JsonObject): string {
  const { name, namespace = ownNamespace } = recordAt(object, 'metadata')
  const row = kinds.find(({ kind }) => kind === object['kind'])
  if (row === undefined) throw new Error(`no path for ${object['kind']}`)
  return pathOf({ ...row, namespace: String(namespace) }, String(name))
}

/** Whose objects are all there, as their status says of what they are now. */
export function isReady(tenant: unknown): boolean {
  const { conditions, observedGeneration } = recordAt(tenant, 'status')
  const { generation } = recordAt(tenant, 'metadata')
  const all = Array.isArray(conditions) ? conditions.filter(isRecord) : []
  const ready = all.find(({ type }) => type === 'Ready')
  return observedGeneration === generation && textAt(ready, 'status') === 'True'
}
