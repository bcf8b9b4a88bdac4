// What is known of a lab between two commands? What was asked for, what runs, and what is broken.

import type { Process } from '../../edge/host/process.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import type { Place } from './place.ts'
import type { Topology, Wish } from './topology.ts'

export const failureKinds = ['node', 'link', 'speaker', 'router', 'api'] as const
export type Failure = { readonly kind: (typeof failureKinds)[number]; readonly name: string }

export type Settings = Wish & {
  readonly engine: 'embedded' | 'kube'
  readonly speakers: 'run' | 'none'
  /** Further ones, for every speaker. */
  readonly speakerArgs: readonly string[]
  /** The folder of Kubernetes' own, where they run. */
  readonly programs: string
}
export type Task = Process & { readonly role: string; readonly place: string }

export type Lab = {
  readonly folder: string
  readonly topology: Topology
  readonly settings: Settings
  readonly tasks: readonly Task[]
  readonly failures: readonly Failure[]
}

export function placeOf({ topology }: Pick<Lab, 'topology'>, name: string): Place {
  const found = topology.places.find((place) => place.name === name)
  if (found !== undefined) return found
  const names = topology.places.map((place) => place.name).join(', ')
  throw new Fault(`there is no ${JSON.stringify(name)} in this lab: ${names}`)
}

export const nodesOf = ({ topology }: Pick<Lab, 'topology'>): readonly Place[] =>
  topology.places.filter(({ role }) => role === 'node')
