// Whom may policy count on? What the members say, beside the nodes that should run a speaker.
import type { Mac } from '../../../core/net/mac.ts'
import { prefixText } from '../../../core/net/range.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import type { SpeakerLink } from '../../../core/policy/announce/links.ts'
import type { Member } from '../../../core/session/membership/member.ts'
import type { Endpoint } from '../../../core/wire/gossip/message.ts'
import type { Discovered } from './discovery.ts'

export type Seen = Required<Speakers> & {
  /** Whose they are, of all that are or were here: none of them is a stranger on the wire. */
  readonly macs: ReadonlyMap<Mac, string>
  readonly left: ReadonlySet<string>
}

type Membered = {
  readonly members: readonly Member[]
  readonly candidates: ReadonlySet<string>
  readonly missing: ReadonlySet<string>
  readonly expected: ReadonlySet<string>
}

export function speakersFrom({ members, candidates, missing, expected }: Membered): Seen {
  const present = members.filter(({ state }) => state === 'alive' || state === 'accused')
  const macs = members.flatMap(({ node, facts }) =>
    facts.links.map(({ mac }) => [mac, node] as const),
  )
  const hasLeft = ({ state, facts }: Member) => state === 'left' || facts.isLeaving
  return {
    live: candidates,
    expected,
    seen: new Set(present.flatMap(({ node }) => (missing.has(node) ? [] : node))),
    links: new Map(present.map((member) => [member.node, linksOf(member)])),
    macs: new Map(macs.sort(([one], [other]) => (one < other ? -1 : 1))),
    left: new Set(members.filter(hasLeft).map(({ node }) => node)),
  }
}

const linksOf = ({ facts, silentLinks }: Member): readonly SpeakerLink[] =>
  facts.links.map(({ name, isUp, subnets }) => ({
    name,
    isUp: isUp && !silentLinks.has(name),
    subnets,
  }))

/** Equal texts: nothing that anybody decides by has changed. */
export function textOfSeen({ live, expected, seen, links, macs, left }: Seen): string {
  const nodes = [live, expected, seen, left].map((set) => [...set].sort())
  const wires = [...links].map(([node, list]) => [node, ...list.map(textOfLink)])
  return JSON.stringify([nodes, wires, [...macs]])
}

const textOfLink = ({ name, isUp, subnets }: SpeakerLink): string =>
  `${name} ${isUp} ${subnets.map(prefixText).join(' ')}`

/** The nodes that should run a speaker; whoever was seen at an endpoint is meant by it. */
export class Expected {
  readonly #own: string
  readonly #nodes = new Map<string, string>()
  #listed: Discovered['expected'] = []

  constructor(own: string) {
    this.#own = own
  }

  list(listed: Discovered['expected']): void {
    this.#listed = listed
  }

  /** An endpoint where nobody was seen yet stands for a node that is not there. */
  nodes(members: readonly Member[]): ReadonlySet<string> {
    for (const { node, facts } of members) this.#nodes.set(placeOf(facts.endpoint), node)
    const named = this.#listed.map((one) =>
      typeof one === 'string' ? one : (this.#nodes.get(placeOf(one)) ?? placeOf(one)),
    )
    return new Set([this.#own, ...named].sort())
  }
}

const placeOf = ({ address, port }: Endpoint): string => `${address} ${port}`
