// Which members may own addresses? Those that live, are ready and stay; of them, when some have
// contact to the API, only these (R8.2); and we ourselves only when we are not the ones cut off.
import type { Ground } from './ground.ts'
import type { Peer } from './roster.ts'
import type { Strays } from './strays.ts'

/** Since when, by our clock, a member has contact to the API, or has none. */
type Contact = { readonly hasApi: boolean; readonly since: number }

/**
 * In an outage each notices at its own time, up to 10 s apart. One without contact is left out only
 * when another one has kept its contact for longer than that, so that nobody is alone meanwhile.
 */
const apartMs = 15_000

export class Candidates {
  readonly #ground: Ground
  readonly #strays: Strays
  readonly #contacts = new Map<string, Contact>()
  #nodes: ReadonlySet<string> = new Set()
  #dueAt: number
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(ground: Ground, strays: Strays, now: number) {
    this.#ground = ground
    this.#strays = strays
    this.#dueAt = now
  }

  get nodes(): ReadonlySet<string> {
    return this.#nodes
  }

  /** Whether time alone may have changed them. */
  isDue(now: number): boolean {
    if (now >= this.#dueAt) return true
    return !this.#strays.isEmpty && now >= this.#refreshedAt + this.#ground.timing.beatMs
  }

  refresh(now: number): void {
    const { roster, outbox } = this.#ground
    this.#refreshedAt = now
    const all = [roster.own, ...roster.peers]
    this.#note(now, all)
    const nodes = this.#inContact(now, all.filter(isAble))
    if (!this.#strays.isEmpty && this.#strays.isOutdone(now)) nodes.delete(roster.own.node)
    if (isSame(nodes, this.#nodes)) return
    this.#nodes = new Set([...nodes].sort())
    outbox.changed()
  }

  /** One that we just met may have been so for long: the others judge it by that already. */
  #note(now: number, members: readonly Peer[]): void {
    for (const { node, facts } of members) {
      const known = this.#contacts.get(node)
      if (known?.hasApi === facts.hasApi) continue
      const since = known === undefined ? Number.NEGATIVE_INFINITY : now
      this.#contacts.set(node, { hasApi: facts.hasApi, since })
    }
    if (this.#contacts.size === members.length) return
    for (const node of this.#contacts.keys()) {
      if (this.#ground.roster.get(node) === undefined) this.#contacts.delete(node)
    }
  }

  #inContact(now: number, able: readonly Peer[]): Set<string> {
    const since = ({ node }: Peer) => this.#contacts.get(node)?.since ?? now
    const keptSince = able.reduce(
      (first, member) => (member.facts.hasApi ? Math.min(first, since(member)) : first),
      Number.POSITIVE_INFINITY,
    )
    const nodes = new Set<string>()
    this.#dueAt = Number.POSITIVE_INFINITY
    for (const member of able) {
      const until = member.facts.hasApi
        ? Number.POSITIVE_INFINITY
        : Math.max(since(member), keptSince) + apartMs
      if (now >= until) continue
      nodes.add(member.node)
      this.#dueAt = Math.min(this.#dueAt, until)
    }
    return nodes
  }
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((node) => other.has(node))

const isAble = ({ state, facts }: Peer): boolean =>
  state === 'alive' && facts.isReady && !facts.isLeaving
