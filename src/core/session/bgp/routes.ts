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

export class PeerRoutes {
  readonly #holders = new Map<string, Map<string, Route>>()

  get size(): number {
    return this.#holders.size
  }

  get prefixes(): Iterable<string> {
    return this.#holders.keys()
  }

  /** The prefixes that may be different now. */
  change(holder: string, before: readonly Route[], after: readonly Route[]): readonly string[] {
    const touched = new Set<string>()
    for (const { prefix } of before) {
      touched.add(prefix)
      const holders = this.#holders.get(prefix)
      holders?.delete(holder)
      if (holders?.size === 0) this.#holders.delete(prefix)
    }
    for (const route of after) {
      touched.add(route.prefix)
      const holders = this.#holders.get(route.prefix) ?? new Map<string, Route>()
      holders.set(holder, route)
      this.#holders.set(route.prefix, holders)
    }
    return [...touched]
  }

  /** Where holders ask for different things: all communities, and what a router prefers. */
  get(prefix: string): Route | undefined {
    const holders = this.#holders.get(prefix)
    if (holders === undefined) return undefined
    const [first, ...others] = holders.values()
    if (first === undefined || others.length === 0) return first
    return others.reduce(merged, first)
  }
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
