// Which nodes are there to announce from, and what keeps one of them silent? For both protocols.
import { excludeLabel, type NodeView } from '../../model/node.ts'
import { matchesAny, type Selector } from '../../model/selector.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { ElectionStarts } from './elect.ts'
import type { SpeakerLink } from './links.ts'
import type { Refusal } from './subject.ts'

type Selecting = { readonly nodeSelectors: readonly Selector[] }

/** What all decisions of one moment have in common; outdated as soon as the World changes. */
export type Ground = {
  readonly world: ReadonlyWorld
  /** By name. */
  readonly nodes: readonly NodeView[]
  /** The nodes whose speaker is seen. */
  readonly live: ReadonlySet<string>
  /** By node; those of a node that is absent are not known. */
  readonly links: ReadonlyMap<string, readonly SpeakerLink[]>
  /** Whether an address of a pool that is split safely may be owned on this side (R8.3). */
  readonly hasMajority: boolean
  readonly starts: ElectionStarts
  /** Excluded nodes announce until others have taken over (R8.4). */
  readonly isLeaving?: boolean
  /** The names of the nodes that an advertisement or a peer selects. */
  readonly nodesOf: (by: Selecting) => ReadonlySet<string>
}

export function groundOf(given: Omit<Ground, 'nodes' | 'nodesOf'>): Ground {
  const nodes = [...given.world.all('Node').values()].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  return groundFrom(given, nodes)
}

/** For one node alone, whatever the others do: what it announces by BGP depends on nobody else. */
export function groundOn(
  world: ReadonlyWorld,
  { name, isLeaving }: Pick<Ground, 'isLeaving'> & { readonly name: string },
): Ground {
  const node = world.all('Node').get(name)
  const alone = { live: new Set([name]), links: new Map(), hasMajority: true }
  const starts = new ElectionStarts()
  const given = { world, ...alone, starts, ...(isLeaving && { isLeaving }) }
  return groundFrom(given, node === undefined ? [] : [node])
}

function groundFrom(given: Omit<Ground, 'nodes' | 'nodesOf'>, nodes: readonly NodeView[]): Ground {
  const every: ReadonlySet<string> = new Set(nodes.map(({ name }) => name))
  const known = new Map<Selecting, ReadonlySet<string>>()
  const select = (by: Selecting): ReadonlySet<string> => {
    const selected = nodes.filter(({ labels }) => matchesAny(by.nodeSelectors, labels))
    const names = new Set(selected.map(({ name }) => name))
    known.set(by, names)
    return names
  }
  const nodesOf = (by: Selecting) =>
    by.nodeSelectors.length === 0 ? every : (known.get(by) ?? select(by))
  return { ...given, nodes, nodesOf }
}

/** Readiness, cordons and taints play no part, as in MetalLB (M5.3). */
export function objectionTo(
  { live, isLeaving }: Ground,
  { name, labels, isNetworkUnavailable }: NodeView,
): Pick<Refusal, 'reason' | 'message'> | undefined {
  if (!live.has(name)) return { reason: 'speakerDown', message: 'its speaker is not seen' }
  if (isNetworkUnavailable) {
    return { reason: 'nodeNetworkUnavailable', message: 'its network is unavailable' }
  }
  if (labels[excludeLabel] !== undefined && !isLeaving) {
    return { reason: 'nodeLabeledExcludeBalancers', message: `it is labelled ${excludeLabel}` }
  }
  return undefined
}
