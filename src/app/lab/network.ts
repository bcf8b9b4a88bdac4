// How do namespaces, bridges and wires come to be, and go? By `ip`, in batches, and never with an
// interface in the namespace of the host, not for a moment.
import { existsSync, readdirSync } from 'node:fs'
import { subnets } from './addresses.ts'
import { families, type Place, type Port, portOn } from './place.ts'
import { inNamespace, pathTo, run } from './tools.ts'
import { prefixOf, type Topology } from './topology.ts'

const folder = '/run/netns'

/** Of this lab, also those that a crash left behind. */
export function namespacesOf(lab: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefixOf(lab)))
    .sort()
}

export function buildNetwork(topology: Topology): void {
  const { fabric, places } = topology
  for (const name of [fabric, ...places.map(({ namespace }) => namespace)]) {
    run(['ip', 'netns', 'add', name])
    sysctl(name, quickAddresses)
  }
  batch(fabric, fabricLines(topology))
  for (const place of places) {
    if (place.role === 'node' || place.role === 'router') sysctl(place.namespace, forwarding)
    batch(place.namespace, placeLines(topology, place))
  }
}

/** An address of IPv6 is there at once: nobody else can have it here. */
const quickAddresses = ['net.ipv6.conf.default.accept_dad=0', 'net.ipv6.conf.default.accept_ra=0']
/** Spread by connection, not by address: one client reaches all nodes. */
const forwarding = [
  ...['net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'],
  ...['net.ipv4.fib_multipath_hash_policy=1', 'net.ipv6.fib_multipath_hash_policy=1'],
]

function sysctl(namespace: string, settings: readonly string[]): void {
  run(inNamespace(namespace, [pathTo('sysctl'), '-qw', ...settings]))
}

function batch(namespace: string, lines: readonly string[]): void {
  run(['ip', '-n', namespace, '-batch', '-'], `${lines.join('\n')}\n`)
}

/** A bridge that asks who listens to which group delivers multicast as a switch does. */
function fabricLines({ places, wires }: Topology): string[] {
  const bridges = wires.flatMap((wire) => [
    `link add br-${wire} type bridge mcast_snooping 1 mcast_querier 1`,
    `link set br-${wire} up`,
  ])
  const plugs = places.flatMap(({ namespace, ports }) =>
    ports.flatMap(({ plug, wire, name, mac }) => [
      `link add ${plug} type veth peer name ${name} address ${mac} netns ${namespace}`,
      `link set ${plug} master br-${wire} up`,
    ]),
  )
  return ['link set lo up', ...bridges, ...plugs]
}

function placeLines(topology: Topology, place: Place): string[] {
  const { ports, pod, role } = place
  const up = ports.flatMap(({ name, wire, addresses }) => [
    `link set ${name} up`,
    ...families.map((family) => {
      const [, length] = subnets[wire][family].split('/')
      return `address add ${addresses[family]}/${length} dev ${name}`
    }),
  ])
  const own = pod === undefined ? [] : families.map((family) => `address add ${pod[family]} dev lo`)
  const pods = role === 'node' ? podRoutes(topology, place) : []
  const out = role === 'node' || role === 'client' ? defaultRoutes(topology, place) : []
  return ['link set lo up', ...up, ...own, ...pods, ...out]
}

/** As a network plugin does it: the pods of another node are behind that node. */
const podRoutes = ({ places }: Topology, own: Place): string[] =>
  places.flatMap((place) => {
    const { name, pod } = place
    const gateway = portOn(place, 'mgmt')?.addresses
    if (name === own.name || pod === undefined || gateway === undefined) return []
    return families.map((family) => `route add ${pod[family]} via ${gateway[family]}`)
  })

/** Over all routers that are there, on a wire that it shares with them. */
function defaultRoutes(
  { places }: Pick<Topology, 'places'>,
  place: Place,
  gone: ReadonlySet<string> = new Set(),
): string[] {
  const routers = places.filter(({ role, name }) => role === 'router' && !gone.has(name))
  const [wire = 'lan'] = place.ports.map((port) => port.wire).filter((one) => one !== 'mgmt')
  const gateways = routers.flatMap((router) => portOn(router, wire)?.addresses ?? [])
  if (gateways.length === 0) return []
  return families.map((family) => {
    const hops = gateways.map((gateway) => `nexthop via ${gateway[family]}`)
    return `route replace default ${hops.join(' ')}`
  })
}

/** As a routing protocol would do it: nobody sends through a router that is gone. */
export function routeAround(topology: Topology, gone: ReadonlySet<string>): void {
  for (const place of topology.places) {
    if (place.role !== 'node' && place.role !== 'client') continue
    batch(place.namespace, defaultRoutes(topology, place, gone))
  }
}

/** Both ends lose their carrier, as when a cable is pulled. */
export function setPlugs({ fabric }: Topology, ports: readonly Port[], to: 'up' | 'down'): void {
  batch(
    fabric,
    ports.map(({ plug }) => `link set ${plug} ${to}`),
  )
}

export function removeNamespace(name: string): void {
  run(['ip', 'netns', 'delete', name])
}
