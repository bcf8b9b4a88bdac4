// What is recorded about a lab between two commands? Its settings, its processes and its failures.

import { meant } from '../../core/model/meant.ts'
import type { Process } from '../../edge/host/process.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Machine } from './machine.ts'
import type { Topology, TopologyOptions } from './topology.ts'

export const failureKinds = ['node', 'link', 'speaker', 'router', 'api'] as const
export type Failure = { readonly kind: (typeof failureKinds)[number]; readonly name: string }

export type Settings = TopologyOptions & {
  readonly engine: 'embedded' | 'kube'
  readonly speakers: 'run' | 'none'
  /** Between the nodes and the routers. */
  readonly hasBfd: boolean
  /** Additional arguments for every speaker. */
  readonly speakerArgs: readonly string[]
  /** The folder of the Kubernetes programs, if used. */
  readonly programs: string
}
export type Task = Process & { readonly role: string; readonly machine: string }

export type Lab = {
  readonly folder: string
  readonly topology: Topology
  readonly settings: Settings
  readonly tasks: readonly Task[]
  readonly failures: readonly Failure[]
}

export function machineNamed({ topology }: Pick<Lab, 'topology'>, name: string): Machine {
  const found = topology.machines.find((machine) => machine.name === name)
  if (found !== undefined) return found
  const names = topology.machines.map((machine) => machine.name)
  const near = meant(name, names) || `; it has ${names.join(', ')}`
  throw new Fault(`no machine ${JSON.stringify(name)} in this lab${near}`)
}

export const nodesOf = ({ topology }: Pick<Lab, 'topology'>): readonly Machine[] =>
  topology.machines.filter(({ role }) => role === 'node')
