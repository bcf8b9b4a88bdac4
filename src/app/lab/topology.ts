// What is the lab made of? Namespaces and the wires between them, from three numbers.
import { podOf, portOf } from './addresses.ts'
import { type Machine, type Wire, wires } from './machine.ts'

export type TopologyOptions = {
  /** Distinguishes several labs. */
  readonly name: string
  readonly nodes: number
  readonly routers: number
  readonly clients: number
}

export type Topology = {
  /** The namespace of the bridges. */
  readonly fabric: string
  readonly machines: readonly Machine[]
}

export const most = { nodes: 50, routers: 9, clients: 20 } as const
export const usualName = 'main'

/** Without hyphens, so that no lab's name is a prefix of another's. */
export const isLabName = (text: string): boolean => /^[a-z0-9]{1,12}$/.test(text)
export const prefixOf = (lab: string): string => `berth-lab-${lab}-`

export function topologyOf({ name: lab, nodes, routers, clients }: TopologyOptions): Topology {
  const prefix = prefixOf(lab)
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
    machines: [
      machine('control', 'control', 2),
      ...many('node', nodes, 11),
      ...many('router', routers, 1),
      ...many('client', clients, 201),
    ],
  }
}

const wiresOf: Readonly<Record<Machine['role'], readonly Wire[]>> = {
  control: ['mgmt'],
  node: wires,
  router: ['lan'],
  client: ['lan'],
}
