// Why does nobody announce a Service that has an address? One answer, the same in plan, explain,
// lint and status.
import type { Key } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { counted } from '../../net/counted.ts'
import type { Ip } from '../../net/ip.ts'
import { type Advertising, advertiseAt, type Moment, momentOf, type Speakers } from './advertise.ts'
import {
  coversPool,
  type Refusal,
  type Subject,
  subjectOf,
  type WithdrawReason,
} from './subject.ts'
import { withdrawRemedies } from './withdrawRemedies.ts'

export type Silence = {
  readonly service: Key
  readonly ips: readonly Ip[]
  /** The first of what `why` lists. */
  readonly reason: WithdrawReason
  readonly why: string
  readonly remedy: string
}

/** What a folder of manifests without Nodes leaves open. */
export const whoIsUnknown = 'unknown: there is no Node'

/** Whether it can be told who announces: not of manifests without Nodes. */
export const knowsNodes = (world: ReadonlyWorld): boolean => world.all('Node').size > 0

export type Silences = {
  /** By name of the Service. */
  readonly silences: readonly Silence[]
  /** How many others have an address. */
  readonly others: number
  /** Nobody can tell who announces those. */
  readonly isUnknown: boolean
}

export function silencesIn(world: ReadonlyWorld, speakers: Speakers): Silences {
  const moment = momentOf(world, speakers)
  const keys = [...world.services.values()]
    .filter((service) => world.isOurs(service) && service.ingress.length > 0)
    .map(({ key }) => key)
  const silences = keys.sort().flatMap((key) => silenceOf(moment, key) ?? [])
  const others = keys.length - silences.length
  return { silences, others, isUnknown: !knowsNodes(world) && others > 0 }
}

/** Undefined if somebody announces it, if it has no address, or if nobody can tell. */
export function silenceOf(
  moment: Moment,
  key: Key,
  advertised: Advertising = advertiseAt(moment, key),
): Silence | undefined {
  const { world } = moment.ground
  const service = world.services.get(key)
  const ips = service?.ingress ?? []
  if (service === undefined || ips.length === 0 || advertised.announcements.length > 0)
    return undefined
  const found = subjectOf(world, key)
  const refusals =
    'subject' in found ? refusalsOf(moment, found.subject, advertised) : [found.refusal]
  const causes = causesFrom(moment, refusals)
  const [first] = causes
  if (first === undefined) return undefined
  const why = causes.map(({ text }) => text).join('; ')
  const { reason } = first
  const lost = reason === 'ipNotAllowed' ? world.lost.poolOf(service) : ''
  return { service: key, ips, reason, why, remedy: remedyFor(reason, lost) }
}

/** To remove a status is no advice while its pool may come back. */
const remedyFor = (reason: WithdrawReason, lostPool: string): string =>
  lostPool === ''
    ? withdrawRemedies[reason]
    : `apply pool ${lostPool} again, or run berth release pool ${lostPool} if it is gone for good`

/** Of a protocol that covers the pool, since nobody means the other; empty if nobody can tell. */
function refusalsOf(
  { ground: { world } }: Moment,
  { pool, endpointNodes }: Subject,
  { refusals }: Advertising,
): readonly Refusal[] {
  const layer2 = [...world.all('L2Advertisement').values()].some((by) => coversPool(by, pool))
  const bgp = [...world.all('BGPAdvertisement').values()].some((by) => coversPool(by, pool))
  if (!layer2 && !bgp) {
    const message = `no L2Advertisement or BGPAdvertisement covers pool ${pool.name}`
    return [{ reason: 'noMatchingAdvertisement', message }]
  }
  if (!knowsNodes(world)) return []
  if (endpointNodes.size === 0) return [{ reason: 'noEndpoints', message: 'no endpoint is usable' }]
  return refusals.filter(({ protocol }) => (protocol === 'layer2' ? layer2 : bgp))
}

type Cause = { readonly reason: WithdrawReason; readonly text: string }

/** What several nodes have in common once, what is about all of them first. */
function causesFrom({ ground }: Moment, refusals: readonly Refusal[]): Cause[] {
  const nodes = new Map<string, { one: Refusal; on: string[] }>()
  for (const one of refusals) {
    const key = `${one.protocol} ${one.reason} ${one.message}`
    const known = nodes.get(key) ?? { one, on: [] }
    nodes.set(key, known)
    if (one.node !== undefined) known.on.push(one.node)
  }
  const rank = (on: readonly string[]) => (on.length === 0 ? 0 : 1)
  return [...nodes.values()]
    .sort((one, other) => rank(one.on) - rank(other.on))
    .map(({ one: { protocol, reason, message }, on }) => {
      const by = protocol === undefined ? '' : `${protocol} `
      return { reason, text: `${by}${reason}${placesText(on, ground.nodes.length)}: ${message}` }
    })
}

const mostNodes = 3

function placesText(nodes: readonly string[], all: number): string {
  if (nodes.length === 0) return ''
  if (nodes.length === all && all > 1) return ' on every node'
  const rest = nodes.length - mostNodes
  const more = rest > 0 ? ` and ${counted(rest, 'more node')}` : ''
  return ` on ${nodes.slice(0, mostNodes).join(', ')}${more}`
}
