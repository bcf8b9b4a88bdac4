// What do pools and tenants claim? Their ranges, on the wires that these are meant for.
import type { L2Advertisement } from '../../model/announcing.ts'
import type { Pool } from '../../model/pool.ts'
import { siteMaker } from '../../model/sitePools.ts'
import type { Network, Tenant } from '../../model/tenant.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { rangeOf } from '../../net/range.ts'
import { coversPool } from '../announce/subject.ts'
import { unknownWire, vlanOf, type WiresNamed, wiresUnder } from './wires.ts'
import { justOne, type RangeSource, type RangeUse, type Role, rangeUseAt } from './wiresRangeUse.ts'

/** The L2Advertisements of each pool, without asking each of them about each pool. */
export function layer2Of(world: Pick<ReadonlyWorld, 'all'>): (pool: Pool) => L2Advertisement[] {
  const byName = new Map<string, L2Advertisement[]>()
  const bySelector: L2Advertisement[] = []
  for (const advertisement of world.all('L2Advertisement').values()) {
    const { pools, poolSelectors } = advertisement
    if (pools.length === 0 || poolSelectors.length > 0) bySelector.push(advertisement)
    else for (const name of new Set(pools)) grouped(byName, name).push(advertisement)
  }
  return (pool) => [
    ...(byName.get(pool.name) ?? []),
    ...bySelector.filter((advertisement) => coversPool(advertisement, pool)),
  ]
}

function grouped<T>(groups: Map<string, T[]>, key: string): T[] {
  const known = groups.get(key)
  if (known !== undefined) return known
  const group: T[] = []
  groups.set(key, group)
  return group
}

/** Those made from a tenant are left out: the tenant itself speaks for them (R4.19). */
export function poolRangeUses(world: ReadonlyWorld, named: WiresNamed): RangeUse[] {
  const advertised = layer2Of(world)
  return handmadePools(world).flatMap((pool) => {
    const names = advertised(pool).flatMap(({ interfaces }) =>
      interfaces.length === 0 ? [''] : interfaces,
    )
    const wires = names.length === 0 ? [unknownWire] : names.flatMap(named)
    const place = { object: objectOf(pool), field: 'spec.addresses', wires }
    return pool.ranges.map(rangeUseAt(place, 'vip', ''))
  })
}

export const handmadePools = ({ pools }: Pick<ReadonlyWorld, 'pools'>): Pool[] =>
  [...pools.values()].filter(({ madeFrom }) => madeFrom === '' || madeFrom === siteMaker)

/** Whatever it generates: a range that a tenant lists is spoken for. */
export const tenantRangeUses = (tenant: Tenant, named: WiresNamed): RangeUse[] =>
  tenant.networks.flatMap((network, index) => networkRangeUses(tenant, network, { index, named }))

function networkRangeUses(
  tenant: Tenant,
  network: Network,
  { index, named }: { readonly index: number; readonly named: WiresNamed },
): RangeUse[] {
  const { name, interface: on, vlan, gateway } = network
  const wires = wiresUnder(named, { name: on, vlan: vlanOf(vlan) })
  const giver = { namespace: '', tenant: tenant.name, networkName: '' }
  const use = (role: Role, part: string) => {
    const field = `spec.networks[${index}].${part}`
    const place: RangeSource = { object: objectOf(tenant), field, wires, giver }
    return rangeUseAt(place, role, `${part} of ${name}`)
  }
  return [
    ...network.cidrs.map(rangeOf).map(use('subnet', 'cidrs')),
    ...network.loadBalancer.map(use('vip', 'loadBalancer')),
    ...network.attachments.map(use('attachment', 'attachments')),
    ...network.nodes.map(use('node', 'nodes')),
    ...network.hosts.map(use('node', 'hosts')),
    ...(gateway === undefined ? [] : [use('gateway', 'gateway')(justOne(gateway))]),
  ]
}
