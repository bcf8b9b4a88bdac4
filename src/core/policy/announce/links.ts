// Can a node be reached where it would announce? Not when every interface that matters is dead.
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

export type Announced = {
  /** Those that apply to the node. */
  readonly advertisements: readonly L2Advertisement[]
  readonly addresses: readonly Ip[]
}

/** The names of those that matter when none of them is alive; undefined when one is. */
export function deadLinks(
  links: readonly SpeakerLink[],
  announced: Announced,
): readonly string[] | undefined {
  if (links.every(({ isUp }) => isUp)) return undefined
  const relevant = relevantLinks(links, announced)
  // A listed interface that the node lacks is no dead one: that is announceFailed, as in MetalLB.
  const areDead = relevant.length > 0 && relevant.every(({ isUp }) => !isUp)
  return areDead ? relevant.map(({ name }) => name).sort() : undefined
}

/** Those that are listed; without a list those whose subnet holds an address; failing that all. */
function relevantLinks(
  links: readonly SpeakerLink[],
  { advertisements, addresses }: Announced,
): readonly SpeakerLink[] {
  const lists = advertisements.map(({ interfaces }) => interfaces)
  if (lists.every(({ length }) => length > 0)) {
    const listed = new Set(lists.flat())
    return links.filter(({ name }) => listed.has(name))
  }
  const near = links.filter(({ subnets }) =>
    subnets.some((subnet) => addresses.some((ip) => contains(rangeOf(subnet), ip))),
  )
  return near.length > 0 ? near : links
}
