// Which networks does a cloud have? What its attachments and its NetConfig say, and its pools.
import type { JsonObject } from '../../model/gate.ts'
import { isDnsLabel } from '../../model/names.ts'
import type { Pool } from '../../model/pool.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { covers } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { type Prefix, prefixText, rangeOf } from '../../net/range.ts'
import { vlanOf } from '../wires/wires.ts'

type Subnet = {
  readonly name: string
  /** Whether it is called after an attachment. */
  readonly isAttached: boolean
  readonly cidr: Prefix
  readonly vlan: number | undefined
  readonly interface: string
  readonly gateway: Ip | undefined
}

type Networks = {
  readonly networks: readonly JsonObject[]
  readonly unknown: readonly Pool[]
  /** Subnets that stand in no network, each with the reason. */
  readonly dropped: readonly string[]
}

/** As a Tenant lists them, in order of name. */
export function networksOf(
  world: ReadonlyWorld,
  namespace: string,
  pools: readonly Pool[],
): Networks {
  const hasPool = (subnet: Subnet): boolean => pools.some((pool) => isIn(pool, subnet))
  const subnets = subnetsOf(world, namespace)
  // What an attachment is called counts: a Tenant makes it under its network's name. The pool keeps
  // its own, by which Services ask.
  const named = subnets.map((subnet) => {
    if (subnet.isAttached && isDnsLabel(subnet.name)) return subnet
    const pool = pools.find((one) => isDnsLabel(one.name) && isIn(one, subnet))
    return { ...subnet, name: pool?.name ?? subnet.name }
  })
  // Of two in one family the one with a pool counts.
  const isChosen = (one: Subnet): boolean => {
    const alike = named.filter(
      ({ name, cidr }) => name === one.name && cidr.family === one.cidr.family,
    )
    return one === (alike.find(hasPool) ?? alike[0])
  }
  const placed = named.filter((one) => isDnsLabel(one.name) && isChosen(one))
  const names = [...new Set(placed.map(({ name }) => name))].sort()
  return {
    networks: names.map((name) => networkOf(placed.filter((one) => one.name === name))),
    unknown: pools.filter((pool) => !subnets.some((subnet) => isIn(pool, subnet))),
    dropped: named.filter((one) => !placed.includes(one)).map(droppedText),
  }
}

const droppedText = ({ name, cidr }: Subnet): string =>
  isDnsLabel(name)
    ? `network ${name} has another subnet of this family, so ${prefixText(cidr)} is left out; ` +
      'add a network for it'
    : `${JSON.stringify(name)} cannot be the name of a network, so ${prefixText(cidr)} is left ` +
      'out; add a network for it, with a name of lower case letters, digits and -'

const isIn = ({ ranges }: Pool, { cidr }: Subnet): boolean =>
  ranges.some((range) => covers(rangeOf(cidr), range))

/** So that nothing depends on what was read first. */
const byKey = <T extends { readonly key: string }>(views: ReadonlyMap<string, T>): readonly T[] =>
  [...views.values()].sort((one, other) => (one.key < other.key ? -1 : 1))

function subnetsOf(world: ReadonlyWorld, namespace: string): readonly Subnet[] {
  const attachments = byKey(world.all('NetworkAttachmentDefinition'))
    .filter((one) => one.namespace === namespace)
    .flatMap(({ name, master, vlan, ranges }) =>
      ranges.map(({ subnet: cidr, gateway }) => {
        return { name, isAttached: true, cidr, gateway, ...linked(master, vlan) }
      }),
    )
  const subnets = byKey(world.all('NetConfig'))
    .filter((one) => one.namespace === namespace)
    .flatMap((config) => config.subnets)
    .flatMap(({ network, cidr, vlan, gateway }): Subnet[] => {
      const named = { name: network.toLowerCase(), isAttached: false }
      return cidr ? [{ ...named, cidr, vlan: vlanOf(vlan), gateway, interface: '' }] : []
    })
  // Of one subnet, each says what the other does not.
  const found = new Map<string, Subnet>()
  for (const subnet of [...attachments, ...subnets]) {
    const key = prefixText(subnet.cidr)
    const there = found.get(key)
    if (there === undefined) found.set(key, subnet)
    else {
      const { vlan = subnet.vlan, gateway = subnet.gateway } = there
      found.set(key, { ...there, vlan, gateway, interface: there.interface || subnet.interface })
    }
  }
  return [...found.values()]
}

/** enp6s0.20 is VLAN 20 on enp6s0. */
function linked(master: string, vlan: number | undefined): Pick<Subnet, 'vlan' | 'interface'> {
  const [, base, id] = /^(.+)\.(\d{1,4})$/.exec(master) ?? []
  return base === undefined ? { vlan, interface: master } : { vlan: Number(id), interface: base }
}

/** At most one of each family. */
function networkOf(both: readonly Subnet[]): JsonObject {
  const vlan = both.find((one) => one.vlan !== undefined)?.vlan
  const link = both.find((one) => one.interface !== '')?.interface
  const gateway = both.find((one) => one.gateway !== undefined)?.gateway
  return {
    name: both[0]?.name,
    cidrs: both.map(({ cidr }) => prefixText(cidr)),
    ...(vlan === undefined ? {} : { vlan }),
    ...(link === undefined ? {} : { interface: link }),
    ...(gateway === undefined ? {} : { gateway }),
  }
}
