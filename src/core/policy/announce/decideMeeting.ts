// Do the filters of what announces ever meet? An event on the object tells if they do not, once a
// change (R8.23).
import type { BgpAdvertisement, L2Advertisement, Peer } from '../../model/announcing.ts'
import type { Changed } from '../../model/changed.ts'
import type { NodeView } from '../../model/node.ts'
import type { Pool } from '../../model/pool.ts'
import { type ProblemCode, problemRemedies } from '../../model/problem.ts'
import { matchesAny } from '../../model/selector.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { EventWrite, KeptDecider } from '../decider.ts'
import { reaches } from './advertiseBgp.ts'
import { coversPool } from './subject.ts'

type Advertisement = L2Advertisement | BgpAdvertisement
const kinds = ['IPAddressPool', 'L2Advertisement', 'BGPAdvertisement', 'BGPPeer'] as const
type MeetingKind = (typeof kinds)[number]

export const meetings: readonly KeptDecider[] = kinds.map((kind) => ({
  name: `meeting-${kind.toLowerCase()}`,
  kind,
  reads: [...kinds, 'Node'],
  tellsState: true,
  wakes: (changed, world) => wokenBy(changed, world, kind),
  decide: (world, key) => ({ writes: [], events: warnings[kind](world, key) }),
}))

const warnings: Readonly<Record<MeetingKind, (world: ReadonlyWorld, key: string) => EventWrite[]>> =
  {
    IPAddressPool(world, key) {
      const pool = world.pools.get(key)
      const isSilent = pool !== undefined && isInUse(world, pool) && !isCovered(world, pool)
      const said = 'Services hold its addresses, and no advertisement covers it'
      return isSilent ? [warning('never-announced', said)] : []
    },
    L2Advertisement: (world, key) => nowhere(world, world.all('L2Advertisement').get(key)),
    BGPPeer: (world, key) => nowhere(world, world.all('BGPPeer').get(key)),
    BGPAdvertisement(world, key) {
      const by = world.all('BGPAdvertisement').get(key)
      const none = nowhere(world, by)
      if (by === undefined || none.length > 0 || !isApart(world, by)) return none
      return [warning('no-common-node', 'none of its nodes serves any of its peers')]
    },
  }

/** In words that a condition may hold, as all reasons of events are. */
function warning(code: ProblemCode, message: string): EventWrite {
  const reason = code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return { type: 'Warning', reason, message: `${message}: ${problemRemedies[code]}` }
}

/** Without any Node nothing is known of where things run. */
function nowhere(world: ReadonlyWorld, view: Advertisement | Peer | undefined): EventWrite[] {
  const isNowhere =
    view !== undefined && world.all('Node').size > 0 && nodesOf(world, view).length === 0
  return isNowhere ? [warning('no-node-selected', 'its nodeSelectors match no node')] : []
}

function nodesOf(world: ReadonlyWorld, by: Advertisement | Peer): readonly NodeView[] {
  return [...world.all('Node').values()].filter((node) => isOn(by, node))
}

const isOn = ({ nodeSelectors }: Advertisement | Peer, { labels }: NodeView): boolean =>
  nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels)

/** Its peers have nodes, and none of its own: who meets the first is not asked further. */
function isApart(world: ReadonlyWorld, by: BgpAdvertisement): boolean {
  const own = nodesOf(world, by)
  const reached = [...world.all('BGPPeer').values()].filter((peer) => reaches(by, peer))
  if (own.length === 0 || reached.some((peer) => own.some((node) => isOn(peer, node)))) return false
  const all = [...world.all('Node').values()]
  return reached.some((peer) => all.some((node) => isOn(peer, node)))
}

function isInUse(world: ReadonlyWorld, pool: Pool): boolean {
  const ledger = world.ledgerOf(pool)
  return (ledger?.held('IPv4') ?? 0) + (ledger?.held('IPv6') ?? 0) > 0
}

/** A Tenant or Site that announces its pool by itself is about to. */
function isCovered(world: ReadonlyWorld, pool: Pool): boolean {
  const { networks = [], name = '' } = world.all('Tenant').get(pool.madeFrom) ?? {}
  const network = networks.find((one) => `${name}-${one.name}` === pool.name)
  if (network === undefined ? pool.madeFrom !== '' : network.announce !== 'None') return true
  const all = [...world.all('L2Advertisement').values(), ...world.all('BGPAdvertisement').values()]
  return all.some((by) => coversPool(by, pool))
}

function wokenBy(changed: Changed, world: ReadonlyWorld, kind: MeetingKind): Iterable<string> {
  if (changed.kind === kind) return [changed.key]
  if (changed.type !== 'object') return []
  if (kind === 'IPAddressPool') return poolsOf(changed, world)
  const isNode = changed.kind === 'Node' && hasMoved(changed)
  const isPeer = changed.kind === 'BGPPeer' && kind === 'BGPAdvertisement'
  return isNode || isPeer ? world.all(kind).keys() : []
}

/** Those that it names, or all if it chooses. */
function poolsOf({ before, after }: Changed & { type: 'object' }, world: ReadonlyWorld) {
  return [before, after].flatMap((view) => {
    if (view?.kind !== 'L2Advertisement' && view?.kind !== 'BGPAdvertisement') return []
    return view.poolSelectors.length > 0 || view.pools.length === 0
      ? [...world.pools.keys()]
      : view.pools
  })
}

/** Whether selectors may see it otherwise. */
function hasMoved({ before, after }: Changed & { type: 'object' }): boolean {
  if (before?.kind !== 'Node' || after?.kind !== 'Node') return true
  return JSON.stringify(before.labels) !== JSON.stringify(after.labels)
}
