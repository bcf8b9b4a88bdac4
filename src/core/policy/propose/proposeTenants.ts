// Which Tenants would take over what is there? One for each cloud, with the pools that it alone
// uses, under their present names: they get the tenant's label, and nothing is made anew (R4.30).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { Pool } from '../../model/pool.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { covers } from '../../net/intervals.ts'
import { rangeOf } from '../../net/range.ts'
import { type Clouds, cloudsIn, uses } from './clouds.ts'
import { networksOf } from './networksOf.ts'
import { staying } from './staying.ts'

type Proposal = {
  readonly tenants: readonly JsonObject[]
  /** The tenant of a pool, by the pool's name. */
  readonly pools: ReadonlyMap<string, string>
  readonly unplaced: readonly { readonly object: string; readonly why: string }[]
  readonly staying: readonly string[]
}

export function proposeTenants(world: ReadonlyWorld): Proposal {
  const clouds = cloudsIn(world)
  const pools = new Map<string, string>()
  const unplaced: Proposal['unplaced'][number][] = []
  const inOrder = [...world.pools.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const pool of inOrder) {
    const { name } = pool
    if (pool.tenant !== '' || pool.madeFrom !== '') continue
    const owner = ownerOf(world, clouds, pool)
    if (owner.ok) pools.set(name, owner.namespace)
    else unplaced.push({ object: `IPAddressPool/${name}`, why: owner.why })
  }
  const tenants: JsonObject[] = []
  for (const namespace of clouds.namespaces) {
    const own = inOrder.filter(({ name }) => pools.get(name) === namespace)
    const { networks, unknown, dropped } = networksOf(world, namespace, own)
    unplaced.push(...dropped.map((why) => ({ object: `Namespace/${namespace}`, why })))
    if (networks.length === 0) {
      unplaced.push({ object: `Namespace/${namespace}`, why: 'nothing says what its subnets are' })
      for (const { name } of own) pools.delete(name)
      continue
    }
    for (const { name } of unknown) {
      const why = `it goes to tenant ${namespace}, but no attachment or NetConfig has its subnet`
      unplaced.push({ object: `IPAddressPool/${name}`, why })
    }
    tenants.push(tenantOf(world, clouds, { namespace, networks, own }))
  }
  return { tenants, pools, unplaced, staying: staying(world) }
}

type Owner =
  | { readonly ok: true; readonly namespace: string }
  | { readonly ok: false; readonly why: string }

function ownerOf(world: ReadonlyWorld, clouds: Clouds, pool: Pool): Owner {
  const users = [...world.services.values()]
    .filter((service) => world.isOurs(service) && uses(world, service, pool))
    .map((service) => clouds.ownerOf(service))
  const scoped = pool.allocation?.namespaces ?? []
  const named = [...new Set([...scoped, ...users])].sort()
  const owners = named.length > 0 ? named : onItsSubnet(world, clouds, pool)
  const [namespace, ...others] = owners
  if (namespace === undefined) return no('no Service uses it, and no control plane has its subnet')
  if (others.length > 0) return no(`several namespaces use it: ${owners.join(', ')}`)
  if (clouds.namespaces.includes(namespace)) return { ok: true, namespace }
  return no(`namespace ${namespace} uses it, and has no control plane`)
}

const no = (why: string): Owner => ({ ok: false, why })

function onItsSubnet(world: ReadonlyWorld, { namespaces }: Clouds, pool: Pool): string[] {
  const isOn = (cidrs: readonly (Parameters<typeof rangeOf>[0] | undefined)[]): boolean =>
    cidrs.some(
      (cidr) => cidr !== undefined && pool.ranges.some((range) => covers(rangeOf(cidr), range)),
    )
  const attachments = [...world.all('NetworkAttachmentDefinition').values()]
    .filter(({ ranges }) => isOn(ranges.map(({ subnet }) => subnet)))
    .map(({ namespace }) => namespace)
  const configs = [...world.all('NetConfig').values()]
    .filter(({ subnets }) => isOn(subnets.map(({ cidr }) => cidr)))
    .map(({ namespace }) => namespace)
  return [...new Set([...attachments, ...configs])]
    .filter((namespace) => namespaces.includes(namespace))
    .sort()
}

type Cloud = {
  readonly namespace: string
  readonly networks: readonly JsonObject[]
  readonly own: readonly Pool[]
}

function tenantOf(
  world: ReadonlyWorld,
  clouds: Clouds,
  { namespace, networks, own }: Cloud,
): JsonObject {
  const services = [...world.services.values()].filter(
    (service) => world.isOurs(service) && clouds.ownerOf(service) === namespace,
  )
  const others = [...world.pools.values()].filter((pool) => !own.includes(pool))
  const openPools = services.some((service) => others.some((pool) => uses(world, service, pool)))
  const elsewhere = (clouds.elsewhere.get(namespace) ?? []).map((key) => {
    const [where, name] = key.split('/')
    return { namespace: where, name }
  })
  return {
    apiVersion: apiVersionOf(apiGroups.berth),
    kind: 'Tenant',
    metadata: { name: namespace },
    spec: {
      namespaces: { names: [namespace] },
      ...(elsewhere.length === 0 ? {} : { services: elsewhere }),
      ...(openPools ? { openPools } : {}),
      networks,
    },
  }
}
