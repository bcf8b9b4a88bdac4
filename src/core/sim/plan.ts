// What would a change do? The difference of two snapshots: addresses, announcements, problems.
import type { Problem } from '../model/problem.ts'
import type { Key } from '../model/service.ts'
import type { Silence } from '../policy/announce/silence.ts'
import { type SessionChange, sessionChanges } from './bgpSessions.ts'
import {
  type InterfaceChange,
  interfaceChanges,
  type NodeRouteChange,
  nodeRouteChanges,
} from './hostNetworks.ts'
import { type HostChange, hostChanges, type NameChange, nameChanges } from './hostsAndNames.ts'
import { type MadeChange, madeChanges, type UnmadeChange, unmadeChanges } from './madeObjects.ts'
import { type RouteChange, routeChanges } from './podRoutes.ts'
import type { Announced, ServiceOutcome, Snapshot } from './snapshot.ts'

export type AddressChange = {
  readonly service: Key
  readonly action: 'gain' | 'lose' | 'move' | 'keep' | 'wait'
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly pool: string
  readonly waits: ServiceOutcome['waits']
  /** Whether it waits for a reason that it did not have before. */
  readonly isNew: boolean
}
export type AnnouncementChange = {
  readonly action: 'announce' | 'withdraw' | 'change'
  readonly before: Announced | undefined
  readonly after: Announced | undefined
}
type ProblemChange = { readonly problem: Problem; readonly is: 'new' | 'gone' | 'there' }
/** `isNew`: whether nobody announces it for a reason that it did not have before. */
type SilenceChange = Silence & { readonly isNew: boolean }
export type Plan = {
  readonly addresses: readonly AddressChange[]
  readonly silences: readonly SilenceChange[]
  /** Whether it can be told who announces: not of manifests without Nodes. */
  readonly knowsNodes: boolean
  readonly announcements: readonly AnnouncementChange[]
  readonly sessions: readonly SessionChange[]
  readonly hosts: readonly HostChange[]
  readonly names: readonly NameChange[]
  readonly routes: readonly RouteChange[]
  /** From Tenants and the Site. */
  readonly made: readonly MadeChange[]
  readonly unmade: readonly UnmadeChange[]
  readonly interfaces: readonly InterfaceChange[]
  /** Of the Site, on every node. */
  readonly nodeRoutes: readonly NodeRouteChange[]
  readonly problems: readonly ProblemChange[]
}

export function planOf(before: Snapshot, after: Snapshot): Plan {
  return {
    addresses: addressChanges(before, after),
    silences: silences(before, after),
    knowsNodes: before.knowsNodes || after.knowsNodes,
    announcements: announcementChanges(before, after),
    sessions: sessionChanges(before.sessions, after.sessions),
    hosts: hostChanges(before.openstack, after.openstack),
    names: nameChanges(before.openstack, after.openstack),
    routes: routeChanges(before.openstack.routes, after.openstack.routes),
    made: madeChanges(before.made, after.made),
    unmade: unmadeChanges(before.made, after.made),
    interfaces: interfaceChanges(before.hostNetworks, after.hostNetworks),
    nodeRoutes: nodeRouteChanges(before.hostNetworks, after.hostNetworks),
    problems: problemChanges(before, after),
  }
}

/** A Service that begins to wait is a change too. */
export const changesAnything = (plan: Plan): boolean => {
  const { addresses, announcements, sessions, hosts, names, routes } = plan
  const { made, unmade, interfaces, nodeRoutes } = plan
  const lists = [announcements, sessions, names, routes, made, interfaces, nodeRoutes]
  return (
    lists.some(({ length }) => length > 0) ||
    unmade.some(({ isNew }) => isNew) ||
    hosts.some(({ action }) => action !== 'keep') ||
    addresses.some(({ action, isNew }) => (action === 'wait' ? isNew : action !== 'keep'))
  )
}

function silences(before: Snapshot, after: Snapshot): SilenceChange[] {
  return [...after.silences.values()].map((silence) => {
    return { ...silence, isNew: before.silences.get(silence.service)?.why !== silence.why }
  })
}

const nobody: ServiceOutcome = { ips: [], pool: '', waits: undefined }

function addressChanges(before: Snapshot, after: Snapshot): AddressChange[] {
  const gone = [...before.services].filter(([, { ips }]) => ips.length > 0).map(([key]) => key)
  const keys = [...new Set([...gone, ...after.services.keys()])].sort()
  return keys.map((service) => {
    const was = before.services.get(service) ?? nobody
    const is = after.services.get(service) ?? nobody
    const action = actionOf(was, is)
    const { pool, waits } = is
    const isNew = waits !== undefined && waits.reason !== was.waits?.reason
    return { service, action, before: was.ips, after: is.ips, pool, waits, isNew }
  })
}

function actionOf(was: ServiceOutcome, is: ServiceOutcome): AddressChange['action'] {
  const gained = is.ips.filter((ip) => !was.ips.includes(ip))
  const lost = was.ips.filter((ip) => !is.ips.includes(ip))
  if (gained.length > 0 && lost.length > 0) return 'move'
  if (gained.length > 0) return 'gain'
  if (lost.length > 0) return 'lose'
  return is.waits === undefined ? 'keep' : 'wait'
}

function announcementChanges(before: Snapshot, after: Snapshot): AnnouncementChange[] {
  const names = [...new Set([...before.announced.keys(), ...after.announced.keys()])].sort()
  return names.flatMap((name): AnnouncementChange[] => {
    const [was, is] = [before.announced.get(name), after.announced.get(name)]
    if (was === undefined) return [{ action: 'announce', before: was, after: is }]
    if (is === undefined) return [{ action: 'withdraw', before: was, after: is }]
    const isSame = JSON.stringify(was.routes) === JSON.stringify(is.routes)
    return isSame ? [] : [{ action: 'change', before: was, after: is }]
  })
}

function problemChanges(before: Snapshot, after: Snapshot): ProblemChange[] {
  const text = ({ code, object, message }: Problem) => `${code} ${object} ${message}`
  const was = new Set(before.problems.map(text))
  const is = new Set(after.problems.map(text))
  return [
    ...after.problems.map((problem) => ({
      problem,
      is: was.has(text(problem)) ? ('there' as const) : ('new' as const),
    })),
    ...before.problems
      .filter((problem) => !is.has(text(problem)))
      .map((problem) => ({ problem, is: 'gone' as const })),
  ]
}
