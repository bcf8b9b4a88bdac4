// Which addresses do nodes have, and on which wires? From the API's nodes and their policies.
import type { InterfaceAddress } from '../../model/node.ts'
import type { NodePolicy, PolicyInterface } from '../../model/nodePolicy.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import { bitsOf, familyOf, type Ip } from '../../net/ip.ts'
import { prefixAround, type Range, rangeOf } from '../../net/range.ts'
import { unknownWire, type Wire, type WiresNamed } from './wires.ts'
import { mostRanges, mostWires } from './wiresEffort.ts'
import { justOne, type RangeUse, rangeUseAt } from './wiresRangeUse.ts'

type HostAddress = { readonly address: Ip; readonly prefixLength: number }

/** Of each node, as its speaker reports them and as it is annotated (R6.3). */
export function interfaceAddresses(
  world: Pick<ReadonlyWorld, 'all'>,
): ReadonlyMap<string, readonly InterfaceAddress[]> {
  const found = new Map<string, InterfaceAddress[]>()
  const add = (node: string, addresses: readonly InterfaceAddress[]) => {
    const known = found.get(node)
    if (known === undefined) found.set(node, [...addresses])
    else for (const address of addresses) known.push(address)
  }
  for (const { name, annotated } of world.all('Node').values()) add(name, annotated)
  for (const { name: node, interfaces } of world.all('NodeInterfaces').values()) {
    // A report about a node that is not there is nobody's.
    if (!found.has(node)) continue
    for (const { name, addresses } of interfaces) {
      add(
        node,
        addresses.map((address) => ({ interface: name, ...address })),
      )
    }
  }
  return found
}

export function nodeRangeUses(world: ReadonlyWorld, named: WiresNamed): RangeUse[] {
  return [...interfaceAddresses(world)].flatMap(([node, addresses]) => {
    const onInterfaces = new Map<Ip, Set<string>>()
    for (const { interface: name, address } of addresses) {
      // kube-proxy in IPVS mode puts the addresses of our Services on every node.
      if (world.holdersOf(address).length > 0) continue
      onInterfaces.set(address, (onInterfaces.get(address) ?? new Set()).add(name))
    }
    const stated = new Set(world.all('Node').get(node)?.addresses)
    const object = `Node/${node}`
    return [
      ...[...onInterfaces].map(([ip, names]) => {
        const wires = [...names].slice(0, mostWires).flatMap(named)
        const place = { object, field: '', wires }
        return rangeUseAt(place, 'nodeAddress', [...names].sort().join(' '))(justOne(ip))
      }),
      ...[...stated]
        .filter((ip) => !onInterfaces.has(ip))
        .map(justOne)
        .map(
          rangeUseAt(
            { object, field: 'status.addresses', wires: [unknownWire] },
            'nodeAddress',
            '',
          ),
        ),
    ]
  })
}

export function policyRangeUses(policy: NodePolicy, named: WiresNamed): RangeUse[] {
  const object = objectOf(policy)
  const ofInterface = ({ name, addresses }: PolicyInterface): RangeUse[] => {
    const place = { object, field: 'spec.desiredState.interfaces', wires: named(name) }
    return [
      ...addresses
        .map(({ address }) => justOne(address))
        .map(rangeUseAt(place, 'nodeAddress', name)),
      ...addresses.flatMap(subnetOf).map(rangeUseAt(place, 'subnet', name)),
    ]
  }
  const hops = [...new Set(policy.nextHops)].slice(0, mostRanges).map((hop) => {
    const place = { object, field: 'spec.desiredState.routes', wires: wiresTo(policy, hop, named) }
    return rangeUseAt(place, 'gateway', 'next hop')(justOne(hop))
  })
  return [...policy.interfaces.flatMap(ofInterface), ...hops]
}

/** A next hop is on the interface whose subnet it lies in. */
function wiresTo({ interfaces }: NodePolicy, hop: Ip, named: WiresNamed): readonly Wire[] {
  const near = interfaces
    .slice(0, mostRanges)
    .filter(({ addresses }) =>
      addresses.slice(0, mostWires).some((one) => subnetOf(one).some((net) => contains(net, hop))),
    )
  return near.length === 0
    ? [unknownWire]
    : near.slice(0, mostWires).flatMap(({ name }) => named(name))
}

/** None for a host address: it lies in whatever subnet the rest of the wire has. */
export const subnetOf = ({ address, prefixLength }: HostAddress): readonly Range[] =>
  prefixLength >= bitsOf(familyOf(address)) ? [] : [rangeOf(prefixAround(address, prefixLength))]
