// Can a node be reached where it would announce? Not when for one of the addresses every interface
// that matters is dead: a Service moves as a whole.
import type { L2Advertisement } from '../../model/announcing.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { type Prefix, rangeOf } from '../../net/range.ts'

/** An interface that announces, as its speaker and those beside it tell. */
export type SpeakerLink = {
  readonly name: string
  /** It is up, has carrier, and the other speakers on it hear this one there. */
  readonly isUp: boolean
  readonly subnets: readonly Prefix[]
}

type Announced = {
  /** Those that apply to the node. */
  readonly advertisements: readonly L2Advertisement[]
  readonly addresses: readonly Ip[]
}

/** The names of those that matter for an address that is dead; undefined when none is. */
export function deadLinks(
  links: readonly SpeakerLink[],
  { advertisements, addresses }: Announced,
): readonly string[] | undefined {
  if (links.every(({ isUp }) => isUp)) return undefined
  const announcing = announcingLinks(links, advertisements)
  const dead = addresses.flatMap((address) => {
    const relevant = relevantLinks(announcing, address)
    return relevant.some(({ isUp }) => isUp) ? [] : relevant.map(({ name }) => name)
  })
  // A listed interface that the node lacks is no dead one: that is announceFailed, as in MetalLB.
  return dead.length > 0 ? [...new Set(dead)].sort() : undefined
}

/** Those that are listed, or all where one lists none (M5.4). */
function announcingLinks(
  links: readonly SpeakerLink[],
  advertisements: readonly L2Advertisement[],
): readonly SpeakerLink[] {
  const lists = advertisements.map(({ interfaces }) => interfaces)
  if (!lists.every(({ length }) => length > 0)) return links
  const listed = new Set(lists.flat())
  return links.filter(({ name }) => listed.has(name))
}

/** Those whose subnet holds the address; failing that all. */
function relevantLinks(links: readonly SpeakerLink[], address: Ip): readonly SpeakerLink[] {
  const near = links.filter(({ subnets }) =>
    subnets.some((subnet) => contains(rangeOf(subnet), address)),
  )
  return near.length > 0 ? near : links
}
