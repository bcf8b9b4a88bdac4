// Can anybody on the wire reach a layer-2 address? Not outside the subnets of the interfaces that
// would announce it, as far as those are known.
import type { Problem } from '../../model/problem.ts'
import { matchesAny, type Selector, selectorText } from '../../model/selector.ts'
import type { Network } from '../../model/tenant.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { rangeText } from '../../net/intervals.ts'
import type { Range } from '../../net/range.ts'
import { merged, without } from '../../net/subtract.ts'
import { interfaceAddresses, subnetOf } from './wiresOfNodes.ts'
import { handmadePools, layer2Of } from './wiresOfPools.ts'

type Announcement = {
  readonly interfaces: readonly string[]
  readonly nodeSelectors: readonly Selector[]
}
/** Undefined when a node is among them of which nobody knows the interfaces. */
type SubnetsOf = (announcement: Announcement) => readonly Range[] | undefined

type Vips = {
  readonly object: string
  readonly field: string
  readonly ranges: readonly Range[]
  readonly announcements: readonly Announcement[]
}

export function vipsOutside(world: ReadonlyWorld): Problem[] {
  const subnetsOf = subnetsIn(world)
  return [...poolVips(world), ...tenantVips(world)].flatMap((vips) => outside(vips, subnetsOf))
}

function outside({ object, field, ranges, announcements }: Vips, subnetsOf: SubnetsOf): Problem[] {
  const known = announcements.map(subnetsOf)
  if (known.length === 0 || known.includes(undefined)) return []
  const subnets = known.flatMap((some) => some ?? [])
  const stray = without(ranges, subnets)
  if (stray.length === 0) return []
  const addresses = stray.map(rangeText).join(', ')
  const where = `${interfacesText(announcements)} on the nodes that announce it`
  const message = `${object}: ${addresses} in no subnet of ${where}`
  return [{ code: 'vip-outside-subnet', severity: 'error', object, field, message }]
}

function interfacesText(announcements: readonly Announcement[]): string {
  const listed = announcements.map(({ interfaces }) => interfaces)
  if (listed.some(({ length }) => length === 0)) return 'any interface'
  return [...new Set(listed.flat())].sort().join(' or ')
}

function poolVips(world: ReadonlyWorld): Vips[] {
  const advertised = layer2Of(world)
  return handmadePools(world).map((pool) => ({
    object: objectOf(pool),
    field: 'spec.addresses',
    ranges: pool.ranges,
    announcements: advertised(pool),
  }))
}

/** By the advertisement that is made for the network (R4.15), whether it is there yet or not. */
const tenantVips = (world: ReadonlyWorld): Vips[] =>
  [...world.all('Tenant').values()].flatMap((tenant) =>
    tenant.networks.map((network, index) => ({
      object: objectOf(tenant),
      field: `spec.networks[${index}].loadBalancer`,
      ranges: network.loadBalancer,
      announcements:
        network.announce === 'Layer2' && tenant.generate.includes('Pools')
          ? [{ interfaces: interfacesOf(network), nodeSelectors: [] }]
          : [],
    })),
  )

const interfacesOf = ({ interface: name, vlan }: Network): readonly string[] => {
  if (name === '') return []
  return [vlan === undefined ? name : `${name}.${vlan}`]
}

function subnetsIn(world: ReadonlyWorld): SubnetsOf {
  const addresses = interfaceAddresses(world)
  const nodes = [...world.all('Node').values()]
  const find: SubnetsOf = ({ interfaces, nodeSelectors }) => {
    const selected = nodes.filter(
      ({ labels }) => nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels),
    )
    const found = selected.map(({ name }) => addresses.get(name) ?? [])
    if (found.length === 0 || found.some((some) => some.length === 0)) return undefined
    const relevant = found
      .flat()
      .filter(({ interface: name }) => interfaces.length === 0 || interfaces.includes(name))
    return merged(relevant.flatMap(subnetOf))
  }
  return remembering(find)
}

/** A thousand advertisements name a handful of interfaces: each question is answered once. */
function remembering(find: SubnetsOf): SubnetsOf {
  const answers = new Map<string, ReturnType<SubnetsOf>>()
  return (announcement) => {
    const { interfaces, nodeSelectors } = announcement
    const key = [interfaces.join(' '), ...nodeSelectors.map(selectorText)].join('\n')
    if (!answers.has(key)) answers.set(key, find(announcement))
    return answers.get(key)
  }
}
