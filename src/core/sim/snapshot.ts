// How does a cluster stand? Who has which address, who announces what, what is wrong.

import type { Json } from '../model/json.ts'
import type { Problem } from '../model/problem.ts'
import type { Key } from '../model/service.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import {
  type Announcement,
  advertiseAt,
  momentOf,
  type Speakers,
} from '../policy/announce/advertise.ts'
import { attributeTexts } from '../policy/announce/attributesText.ts'
import { knowsNodes, type Silence, silenceOf } from '../policy/announce/silence.ts'
import { decideService } from '../policy/decideService.ts'
import { type Unmet, unmet } from '../policy/explain/explainOutcome.ts'
import { problems } from '../policy/problems.ts'
import { type Sessions, sessionsIn } from './bgpSessions.ts'
import { type HostNetworks, hostNetworksIn } from './hostNetworks.ts'
import { type HostsAndNames, hostsAndNames } from './hostsAndNames.ts'
import { type MadeObjects, madeObjectsIn } from './madeObjects.ts'

export type ServiceOutcome = {
  readonly ips: readonly string[]
  readonly pool: string
  /** Why it waits; undefined when it does not. */
  readonly waits: Unmet | undefined
}
/** One address or prefix of a Service by one protocol, and where it comes from. */
export type Announced = {
  readonly service: Key
  readonly protocol: Announcement['protocol']
  readonly target: string
  readonly routes: readonly Route[]
}
/** Interfaces, or a peer with the attributes that it is told; and from which nodes. */
type Route = { readonly nodes: readonly string[]; readonly by: string }
export type Snapshot = {
  readonly services: ReadonlyMap<Key, ServiceOutcome>
  readonly announced: ReadonlyMap<string, Announced>
  /** Services that have an address and that nobody announces. */
  readonly silences: ReadonlyMap<Key, Silence>
  /** Whether it can be told who announces. */
  readonly knowsNodes: boolean
  readonly sessions: Sessions
  readonly problems: readonly Problem[]
  readonly openstack: HostsAndNames
  readonly made: MadeObjects
  readonly hostNetworks: HostNetworks
}

/** `objects`: all that the API holds. */
export function snapshot(
  world: ReadonlyWorld,
  speakers: Speakers,
  objects: readonly Json[],
): Snapshot {
  const keys = [...world.services.values()]
    .filter((service) => world.isOurs(service))
    .map(({ key }) => key)
    .sort()
  const moment = momentOf(world, speakers)
  const advertised = keys.map((key) => ({ key, ...advertiseAt(moment, key) }))
  const announcements = advertised.flatMap((one) => grouped(one.announcements))
  const silences = advertised.flatMap((one) => silenceOf(moment, one.key, one) ?? [])
  return {
    services: new Map(keys.map((key) => [key, standing(world, key)])),
    announced: new Map(announcements.map((one) => [nameOf(one), one])),
    silences: new Map(silences.map((one) => [one.service, one])),
    knowsNodes: knowsNodes(world),
    sessions: sessionsIn(world, speakers),
    problems: problems(world, speakers),
    openstack: hostsAndNames(world),
    made: madeObjectsIn(world, objects),
    hostNetworks: hostNetworksIn(world),
  }
}

function standing(world: ReadonlyWorld, key: Key): ServiceOutcome {
  const ips = world.holdingOf(key)?.ips ?? []
  const [first] = ips
  const pool = first === undefined ? '' : (world.poolOf(first)?.name ?? '')
  const service = world.services.get(key)
  if (ips.length > 0 || service === undefined) return { ips, pool, waits: undefined }
  const { lacks } = decideService(world, key)
  return { ips, pool, waits: lacks && unmet(world, service, lacks) }
}

const nameOf = ({ service, protocol, target }: Announced): string =>
  `${service} ${protocol} ${target}`

function grouped(announcements: readonly Announcement[]): Announced[] {
  const targets = new Map<string, Announcement[]>()
  for (const one of announcements) {
    const key = `${one.protocol} ${targetOf(one)}`
    targets.set(key, [...(targets.get(key) ?? []), one])
  }
  return [...targets.values()].flatMap((group) => {
    const [one] = group
    if (one === undefined) return []
    const { service, protocol } = one
    return [{ service, protocol, target: targetOf(one), routes: routesOf(group) }]
  })
}

const targetOf = (one: Announcement): string =>
  one.protocol === 'layer2' ? one.address : one.prefix

function routesOf(announcements: readonly Announcement[]): Route[] {
  const nodes = new Map<string, string[]>()
  for (const one of announcements) {
    const by = meansOf(one)
    nodes.set(by, [...(nodes.get(by) ?? []), one.node])
  }
  return [...nodes.keys()].sort().map((by) => ({ nodes: (nodes.get(by) ?? []).sort(), by }))
}

function meansOf(one: Announcement): string {
  if (one.protocol === 'layer2') return one.interfaces.join(' ')
  const attributes = [...attributeTexts(one), ...one.communities]
  return attributes.length === 0 ? one.peer : `${one.peer} (${attributes.join(' ')})`
}
