// What is the lab made of? Namespaces and the wires between them, from three numbers.
import { podOf, portOf } from './addresses.ts'
import type { Machine, Wire } from './machine.ts'
import type { RouterKind } from './routerConfig.ts'

export type TopologyOptions = {
  /** Distinguishes several labs. */
  readonly name: string
  readonly nodes: number
  readonly routers: number
  readonly clients: number
  /** What speaks BGP; the clients are behind it then. */
  readonly router: RouterKind | 'none'
}

export type Topology = {
  /** The namespace of the bridges. */
  readonly fabric: string
  readonly wires: readonly Wire[]
  readonly machines: readonly Machine[]
}

export const most = { nodes: 50, routers: 9, clients: 20 } as const
export const usualName = 'main'

/** Without hyphens, so that no lab's name is a prefix of another's. */
export const isLabName = (text: string): boolean => /^[a-z0-9]{1,12}$/.test(text)
export const prefixOf = (lab: string): string => `berth-lab-${lab}-`

export function topologyOf({
  name: lab,
  nodes,
  routers,
  clients,
  router,
}: TopologyOptions): Topology {
  const prefix = prefixOf(lab)
  const wiresOf = router === 'none' ? onOneLan : behindRouters
  const machine = (role: Machine['role'], name: string, host: number): Machine => ({
    name,
    role,
    namespace: `${prefix}${name}`,
    ports: wiresOf[role].map((wire) => portOf(wire, name, host)),
    ...(role === 'node' ? { pod: podOf(host) } : {}),
  })
  const many = (role: Machine['role'], count: number, firstHost: number): Machine[] =>
    Array.from({ length: count }, (_, index) =>
      machine(role, `${role}-${index + 1}`, firstHost + index),
    )
  return {
    fabric: `${prefix}fabric`,
    wires: [...new Set(Object.values(wiresOf).flat())],
    machines: [
      machine('control', 'control', 2),
      ...many('node', nodes, 11),
      ...many('router', routers, 1),
      ...many('client', clients, 201),
    ],
  }
}

type Plugged = Readonly<Record<Machine['role'], readonly Wire[]>>

const onOneLan: Plugged = {
  control: ['mgmt'],
  node: ['mgmt', 'lan'],
  router: ['lan'],
  client: ['lan'],
}
const behindRouters: Plugged = { ...onOneLan, router: ['lan', 'edge'], client: ['edge'] }
