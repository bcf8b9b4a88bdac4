// How are namespaces, bridges and wires created and removed? With `ip`, in batches, and never with
// an interface in the host's namespace, not even for a moment.
import { existsSync, readdirSync } from 'node:fs'
import { subnets } from './addresses.ts'
import { families, type Machine, type Port, portOn } from './machine.ts'
import { inNamespace, namespaceFolder, pathTo, run, runIfThere } from './tools.ts'
import { prefixOf, type Topology } from './topology.ts'

/** All namespaces of this lab, including those that a crash left behind. */
export function namespacesOf(lab: string): readonly string[] {
  if (!existsSync(namespaceFolder)) return []
  return readdirSync(namespaceFolder)
    .filter((name) => name.startsWith(prefixOf(lab)))
    .sort()
}

export function buildNetwork(topology: Topology): void {
  const { fabric, machines } = topology
  for (const name of [fabric, ...machines.map(({ namespace }) => namespace)]) {
    run(['ip', 'netns', 'add', name])
    sysctl(name, quickAddresses)
  }
  batch(fabric, fabricLines(topology))
  for (const machine of machines) {
    if (machine.role === 'node' || machine.role === 'router') sysctl(machine.namespace, forwarding)
    batch(machine.namespace, machineLines(topology, machine))
  }
}

/** Makes IPv6 addresses usable at once: nobody else can have them here. */
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

/** With a querier and snooping, the bridge delivers multicast as a switch does. */
function fabricLines({ machines, wires }: Topology): string[] {
  const bridges = wires.flatMap((wire) => [
    `link add br-${wire} type bridge mcast_snooping 1 mcast_querier 1`,
    `link set br-${wire} up`,
  ])
  const plugs = machines.flatMap(({ namespace, ports }) =>
    ports.flatMap(({ plug, wire, name, mac }) => [
      `link add ${plug} type veth peer name ${name} address ${mac} netns ${namespace}`,
      `link set ${plug} master br-${wire} up`,
    ]),
  )
  return ['link set lo up', ...bridges, ...plugs]
}

function machineLines(topology: Topology, machine: Machine): string[] {
  const { ports, pod, role } = machine
  const up = ports.flatMap(({ name, wire, addresses }) => [
    `link set ${name} up`,
    ...families.map((family) => {
      const [, length] = subnets[wire][family].split('/')
      return `address add ${addresses[family]}/${length} dev ${name}`
    }),
  ])
  const own = pod === undefined ? [] : families.map((family) => `address add ${pod[family]} dev lo`)
  const pods = role === 'node' ? podRoutes(topology, machine) : []
  const out = role === 'node' || role === 'client' ? defaultRoutes(topology, machine) : []
  return ['link set lo up', ...up, ...own, ...pods, ...out]
}

/** As a network plugin does: the pods of another node are reached through that node. */
const podRoutes = ({ machines }: Topology, own: Machine): string[] =>
  machines.flatMap((machine) => {
    const { name, pod } = machine
    const gateway = portOn(machine, 'mgmt')?.addresses
    if (name === own.name || pod === undefined || gateway === undefined) return []
    return families.map((family) => `route add ${pod[family]} via ${gateway[family]}`)
  })

/** Over all routers that are there, on a wire that it shares with them. */
function defaultRoutes(
  { machines }: Pick<Topology, 'machines'>,
  machine: Machine,
  gone: ReadonlySet<string> = new Set(),
): string[] {
  const routers = machines.filter(({ role, name }) => role === 'router' && !gone.has(name))
  const [wire = 'lan'] = machine.ports.map((port) => port.wire).filter((one) => one !== 'mgmt')
  const gateways = routers.flatMap((router) => portOn(router, wire)?.addresses ?? [])
  if (gateways.length === 0) return []
  return families.map((family) => {
    const hops = gateways.map((gateway) => `nexthop via ${gateway[family]}`)
    return `route replace default ${hops.join(' ')}`
  })
}

/** As a routing protocol would do it: nobody sends through a router that is gone. */
export function routeAround(topology: Topology, gone: ReadonlySet<string>): void {
  for (const machine of topology.machines) {
    if (machine.role !== 'node' && machine.role !== 'client') continue
    batch(machine.namespace, defaultRoutes(topology, machine, gone))
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
  runIfThere(name, ['ip', 'netns', 'delete', name])
}
