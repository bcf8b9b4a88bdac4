// Who has an address on which wire? Hosts and pods beside Services: an address can have a holder of
// its own on each wire (R12.4).
import type { Held } from '../../model/ipam/heldAddresses.ts'
import type { NodeSubnet } from '../../model/ipam/nodePlan.ts'
import { liesIn } from '../../model/ipam/subnetLedger.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { nodeRules } from '../ipam/nodeRules.ts'
import { ask } from '../rule.ts'

export type WireHolder = {
  /** `namespace/NAME` or `wire/NAME`; empty where it is not known which. */
  readonly wire: string
  /** Such as `IPSet openstack/edpm-compute-0`; empty for a subnet in which nobody has it. */
  readonly holder: string
  readonly what: string
}

/** By wire, then by holder. */
export function holdersOnWires(world: ReadonlyWorld, ip: Ip): readonly WireHolder[] {
  const hosts = [...world.nodes.held.wires()].flatMap((wire) =>
    world.nodes.held.at(wire, ip).map((held) => hostOn(world, held)),
  )
  const taken = new Set(hosts.map(({ wire }) => wire))
  const free = subnetsWith(world, ip).filter(({ wire }) => !taken.has(wire))
  return [...hosts, ...podsWith(world, ip), ...routesTo(world, ip), ...free].sort((one, other) =>
    textOf(one) < textOf(other) ? -1 : 1,
  )
}

const textOf = ({ wire, holder, what }: WireHolder): string => `${wire} ${holder} ${what}`

function hostOn(world: ReadonlyWorld, { wire, key, network, isReserved, claim }: Held): WireHolder {
  const isThere = world.all('IPSet').has(key)
  const isForPod = world.all('IPSet').get(key)?.isForPod === true
  const state = isReserved ? 'reserved' : 'claimed, and not reserved yet'
  const gone = claim?.gone ? `kept since ${claim.gone} (${claim.keep})` : 'its IPSet is gone'
  const what = `on ${network}, ${isThere ? state : gone}${isForPod ? ', for the pod' : ''}`
  return { wire, holder: `IPSet ${key}`, what }
}

const podsWith = (world: ReadonlyWorld, ip: Ip): readonly WireHolder[] =>
  [...world.all('IPPool').values()].flatMap(({ key, pods }) =>
    pods[ip] === undefined
      ? []
      : [{ wire: '', holder: `Pod ${pods[ip]}`, what: `from whereabouts, IPPool ${key}` }],
  )

const routesTo = (world: ReadonlyWorld, ip: Ip): readonly WireHolder[] =>
  [...world.all('FRRConfiguration').values()].flatMap(({ key, routeOf, announced }) => {
    if (routeOf === undefined || !announced.includes(ip)) return []
    const [namespace] = routeOf.configuration.split('/')
    const what = `announced by FRRConfiguration ${key}`
    return [{ wire: '', holder: `Pod ${namespace}/${routeOf.pod}`, what }]
  })

/** Where hosts could have it, or why they never get it there. */
function subnetsWith(world: ReadonlyWorld, ip: Ip): readonly WireHolder[] {
  return [...world.all('NetConfig').values()].flatMap((config) =>
    config.networks.flatMap(({ name, subnets }) =>
      subnets
        .filter((subnet) => liesIn(subnet, ip))
        .map((subnet) => {
          const { namespace } = config
          const wire = world.nodes.wireOf(namespace, name)
          const isForPod = isIn(subnet.sticky, ip)
          const anybody = { key: '', isForPod, taken: new Set<Ip>() }
          const on = { world, config, namespace, wire, subnet, ip }
          const refusal = ask(nodeRules, { ...on, ...anybody })
          const place = `${namespace}/${name}/${subnet.name}`
          const free = `free in ${place}, ${rangeText(subnet, ip)}`
          const what = refusal === undefined ? free : `not given in ${place}: ${refusal.message}`
          return { wire, holder: '', what }
        }),
    ),
  )
}

const isIn = (ranges: NodeSubnet['ranges'], ip: Ip): boolean =>
  ranges.some((one) => contains(one, ip))

function rangeText({ sticky, ranges }: NodeSubnet, ip: Ip): string {
  if (isIn(sticky, ip)) return 'in its sticky range, for pods'
  return isIn(ranges, ip) ? 'in its allocation ranges' : 'outside its ranges'
}
