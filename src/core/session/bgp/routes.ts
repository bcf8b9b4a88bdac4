// Which routes should a peer have? One for each prefix, as long as anybody holds it; a change names
// the prefixes that it touches, and nothing else is looked at.

export type Route = {
  /** Canonical. */
  readonly prefix: string
  /** Undefined when none is asked for. */
  readonly localPref: number | undefined
  /** a:b or large:a:b:c, each once, in text order. */
  readonly communities: readonly string[]
  /** Absent: as usual. */
  readonly med?: number
  /** How often our AS stands in the path beyond the once; absent: not at all. */
  readonly prepend?: number
  /** Endpoints of this node, by which routers may weigh it; absent: they do not. */
  readonly endpoints?: number
}

/** A prefix: who holds it, and what the peer knows of it. */
export type Entry = {
  readonly prefix: string
  readonly isSix: boolean
  /** Most prefixes have one holder: a Map for each would be most of what a peer costs. */
  holder: string
  route: Route | undefined
  others: Map<string, Route> | undefined
  /** What the peer has been told; undefined: nothing, or that it is withdrawn. */
  told: Route | undefined
  /** It is among those that the peer has yet to be told. */
  isDue: boolean
  /** It has asked to hear it again, whether or not it has changed. */
  isAsked: boolean
}

/** So many have been taken off before the rest moves up. */
const mostTaken = 10_000

export class PeerRoutes {
  readonly #entries = new Map<string, Entry>()
  #size = 0
  /** Whether anybody tells the peer; then changed prefixes wait here, each once. */
  #isTelling = false
  #due: Entry[] = []
  #taken = 0

  /** How many are held. */
  get size(): number {
    return this.#size
  }

  get prefixes(): readonly string[] {
    return [...this.#entries.values()].filter(isHeld).map(({ prefix }) => prefix)
  }

  /** Of one holder: what it no longer asks for, and what it asks for now. */
  change(holder: string, before: readonly Route[], after: readonly Route[]): void {
    for (const { prefix } of before) {
      const entry = this.#entries.get(prefix)
      if (entry !== undefined) this.#remove(entry, holder)
    }
    for (const route of after) this.#add(this.#entryFor(route.prefix), holder, route)
    if (this.#isTelling) return
    for (const { prefix } of before) {
      const entry = this.#entries.get(prefix)
      if (entry !== undefined) this.dropUnheld(entry)
    }
  }

  /** Undefined where nobody holds it. */
  get(prefix: string): Route | undefined {
    const entry = this.#entries.get(prefix)
    return entry && routeIn(entry)
  }

  entryOf(prefix: string): Entry | undefined {
    return this.#entries.get(prefix)
  }

  get entries(): Iterable<Entry> {
    return this.#entries.values()
  }

  /** The peer knows nothing and has to be told everything. */
  beginTelling(): void {
    this.endTelling()
    this.#isTelling = true
    for (const entry of this.#entries.values()) this.makeDue(entry)
  }

  /** Nobody tells it any more. */
  endTelling(): void {
    this.#isTelling = false
    this.#due = []
    this.#taken = 0
    for (const entry of this.#entries.values()) {
      entry.told = undefined
      entry.isDue = false
      entry.isAsked = false
      this.dropUnheld(entry)
    }
  }

  /** How many wait to be told. */
  get dueCount(): number {
    return this.#due.length - this.#taken
  }

  makeDue(entry: Entry): void {
    if (entry.isDue) return
    entry.isDue = true
    this.#due.push(entry)
  }

  /** The one that has waited longest, which waits no more. */
  takeDue(): Entry | undefined {
    const entry = this.#due[this.#taken]
    if (entry === undefined) return undefined
    entry.isDue = false
    this.#taken++
    if (this.#taken === this.#due.length || this.#taken === mostTaken) {
      this.#due = this.#due.slice(this.#taken)
      this.#taken = 0
    }
    return entry
  }

  /** What nobody holds and the peer does not know is not kept. */
  dropUnheld(entry: Entry): void {
    if (!isHeld(entry) && entry.told === undefined) this.#entries.delete(entry.prefix)
  }

  #entryFor(prefix: string): Entry {
    const known = this.#entries.get(prefix)
    if (known !== undefined) return known
    const fresh: Entry = {
      prefix,
      isSix: prefix.includes(':'),
      holder: '',
      route: undefined,
      others: undefined,
      told: undefined,
      isDue: false,
      isAsked: false,
    }
    this.#entries.set(prefix, fresh)
    return fresh
  }

  #remove(entry: Entry, holder: string): void {
    const { others } = entry
    const wasHeld = isHeld(entry)
    if (entry.holder === holder) {
      const [next] = others ?? []
      entry.holder = next?.[0] ?? ''
      entry.route = next?.[1]
      others?.delete(entry.holder)
    } else others?.delete(holder)
    if (others?.size === 0) entry.others = undefined
    if (wasHeld && !isHeld(entry)) this.#size--
    if (this.#isTelling) this.makeDue(entry)
  }

  #add(entry: Entry, holder: string, route: Route): void {
    if (!isHeld(entry)) this.#size++
    if (!isHeld(entry) || entry.holder === holder) {
      entry.holder = holder
      entry.route = route
    } else {
      entry.others ??= new Map()
      entry.others.set(holder, route)
    }
    if (this.#isTelling) this.makeDue(entry)
  }
}

const isHeld = ({ route }: Entry): boolean => route !== undefined

/** Where holders ask for different things: all communities, and what a router prefers. */
export function routeIn({ route, others }: Entry): Route | undefined {
  return route === undefined || others === undefined
    ? route
    : [...others.values()].reduce(merged, route)
}

function merged(one: Route, other: Route): Route {
  const med = preferred(Math.min, one.med, other.med)
  const prepend = preferred(Math.min, one.prepend, other.prepend)
  const endpoints = preferred(Math.max, one.endpoints, other.endpoints)
  return {
    prefix: one.prefix,
    localPref: preferred(Math.max, one.localPref, other.localPref),
    communities: [...new Set([...one.communities, ...other.communities])].sort(),
    ...(med !== undefined && { med }),
    ...(prepend !== undefined && { prepend }),
    ...(endpoints !== undefined && { endpoints }),
  }
}

/** Of those that are asked for. */
const preferred = (
  choose: (one: number, other: number) => number,
  one: number | undefined,
  other: number | undefined,
): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : choose(one, other)
