// Who announces a Service, node by node, and who would if the owner were gone?
import type { BgpSession } from '../../model/bgpSession.ts'
import type { Key } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import {
  type Advertising,
  type Announcement,
  advertise,
  advertiseAt,
  momentOf,
  type Speakers,
} from '../announce/advertise.ts'
import { knowsNodes, type Silence, silenceOf } from '../announce/silence.ts'
import type { Refusal } from '../announce/subject.ts'
import { sessionBetween } from '../status/bgpPeers.ts'

/** With the session that carries it, where the node reports one. */
export type Announced = Announcement & {
  readonly session?: Pick<BgpSession, 'bgpStatus' | 'since' | 'lastError' | 'agreed'>
}
type NodeAnswer = {
  readonly node: string
  readonly announces: readonly Announced[]
  readonly refusals: readonly Refusal[]
}
export type Announcing = {
  /** Layer 2: the owner, then who takes over, as far as it is worth telling. */
  readonly election: readonly string[]
  readonly nodes: readonly NodeAnswer[]
  /** Why nobody does, by a protocol or at all. */
  readonly refusals: readonly Refusal[]
  /** Why nobody does, in one sentence; absent where somebody does or nobody can tell. */
  readonly silence?: Silence
  /** Whether nothing is known of nodes. */
  readonly isUnknown: boolean
}

/** Each place of the election asks anew; nobody plans for more losses than this. */
const placesTold = 5

export function explainAnnouncing(
  world: ReadonlyWorld,
  speakers: Speakers,
  service: Key,
): Announcing {
  const moment = momentOf(world, speakers)
  const advertised = advertiseAt(moment, service)
  const { announcements, refusals } = advertised
  const silence = silenceOf(moment, service, advertised)
  const hasAddress = (world.services.get(service)?.ingress.length ?? 0) > 0
  const nodes = [...world.all('Node').keys()].sort().map((node) => ({
    node,
    announces: announcements
      .filter((one) => one.node === node)
      .map((one) => ({ ...one, ...sessionOf(world, one) })),
    refusals: refusals.filter((one) => one.node === node),
  }))
  return {
    election: election(world, speakers, service),
    nodes: nodes.filter(({ announces, refusals }) => announces.length + refusals.length > 0),
    refusals: refusals.filter(({ node }) => node === undefined),
    ...(silence !== undefined && { silence }),
    isUnknown: hasAddress && silence === undefined && !knowsNodes(world),
  }
}

function sessionOf(world: ReadonlyWorld, one: Announcement): Pick<Announced, 'session'> {
  const session = one.protocol === 'bgp' ? sessionBetween(world, one) : undefined
  if (session === undefined) return {}
  const { bgpStatus, since, lastError, agreed } = session
  return {
    session: { bgpStatus, since, ...(agreed && { agreed }), ...(lastError && { lastError }) },
  }
}

/** Found by letting one owner after the other fail, so that no second formula can differ. */
function election(world: ReadonlyWorld, { live, expected }: Speakers, service: Key): string[] {
  const order: string[] = []
  while (order.length < placesTold) {
    const left = new Set([...live].filter((node) => !order.includes(node)))
    const owner = ownerIn(advertise(world, { live: left, expected }, service))
    if (owner === undefined || order.includes(owner)) return order
    order.push(owner)
  }
  return order
}

/** Elected, even if it then has none of the interfaces. */
function ownerIn({ announcements, refusals }: Advertising): string | undefined {
  const failed = refusals.find(({ reason }) => reason === 'announceFailed')
  return announcements.find(({ protocol }) => protocol === 'layer2')?.node ?? failed?.node
}
