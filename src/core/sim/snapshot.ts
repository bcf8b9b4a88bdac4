// How does a cluster stand? Who has which address, who announces what, what is wrong.
import type { Problem } from '../model/problem.ts'
import type { Reason } from '../model/reason.ts'
import type { Key } from '../model/service.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { type Announcement, advertiseAt, momentOf, type Speakers } from '../policy/advertise.ts'
import { allocate } from '../policy/allocate.ts'
import { problems } from '../policy/problems.ts'
import { wishOf } from '../policy/wish.ts'

export type Standing = {
  readonly ips: readonly string[]
  readonly pool: string
  /** Why it waits; undefined when it does not. */
  readonly waits: { readonly reason: Reason; readonly message: string } | undefined
}
/** One address or prefix of a Service by one protocol, and where it comes from. */
export type Announced = {
  readonly service: Key
  readonly protocol: Announcement['protocol']
  readonly target: string
  readonly nodes: readonly string[]
  /** Interfaces or peers, with attributes, as text. */
  readonly by: string
}
export type Snapshot = {
  readonly services: ReadonlyMap<Key, Standing>
  readonly announced: ReadonlyMap<string, Announced>
  readonly problems: readonly Problem[]
}

export function snapshot(world: ReadonlyWorld, speakers: Speakers): Snapshot {
  const keys = [...world.services.values()]
    .filter((service) => world.isOurs(service))
    .map(({ key }) => key)
    .sort()
  const moment = momentOf(world, speakers)
  const announcements = keys.flatMap((key) => grouped(advertiseAt(moment, key).announcements))
  return {
    services: new Map(keys.map((key) => [key, standing(world, key)])),
    announced: new Map(announcements.map((one) => [nameOf(one), one])),
    problems: problems(world, speakers),
  }
}

function standing(world: ReadonlyWorld, key: Key): Standing {
  const ips = world.holdingOf(key)?.ips ?? []
  const [first] = ips
  const pool = first === undefined ? '' : (world.poolOf(first)?.name ?? '')
  const service = world.services.get(key)
  if (ips.length > 0 || service === undefined) return { ips, pool, waits: undefined }
  const allocation = allocate(world, wishOf(world, service))
  return { ips, pool, waits: allocation.ok ? undefined : allocation.refusal }
}

const nameOf = ({ service, protocol, target }: Announced): string =>
  `${service} ${protocol} ${target}`

/** The nodes and peers of one prefix belong together where nothing else differs. */
function grouped(announcements: readonly Announcement[]): Announced[] {
  const groups = new Map<string, { one: Announcement; nodes: Set<string>; by: Set<string> }>()
  for (const one of announcements) {
    const target = one.protocol === 'layer2' ? one.address : one.prefix
    const key = `${one.protocol} ${target}`
    const group = groups.get(key) ?? { one, nodes: new Set<string>(), by: new Set<string>() }
    groups.set(key, group)
    group.nodes.add(one.node)
    group.by.add(meansOf(one))
  }
  return [...groups.values()].map(({ one, nodes, by }) => ({
    service: one.service,
    protocol: one.protocol,
    target: one.protocol === 'layer2' ? one.address : one.prefix,
    nodes: [...nodes].sort(),
    by: [...by].sort().join('; '),
  }))
}

function meansOf(one: Announcement): string {
  if (one.protocol === 'layer2') return one.interfaces.join(' ')
  const attributes = [
    ...(one.localPref === undefined ? [] : [`localPref ${one.localPref}`]),
    ...one.communities,
  ]
  return attributes.length === 0 ? one.peer : `${one.peer} (${attributes.join(' ')})`
}
