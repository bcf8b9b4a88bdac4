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

/** Most prefixes have one holder: a Map for each would be most of what a peer costs. */
type Single = { readonly holder: string; readonly route: Route }
type Holders = Single | Map<string, Route>

export class PeerRoutes {
  readonly #holders = new Map<string, Holders>()

  get size(): number {
    return this.#holders.size
  }

  get prefixes(): Iterable<string> {
    return this.#holders.keys()
  }

  /** The prefixes that may be different now; some of them twice. */
  change(holder: string, before: readonly Route[], after: readonly Route[]): readonly string[] {
    const touched: string[] = []
    for (const { prefix } of before) {
      this.#remove(prefix, holder)
      touched.push(prefix)
    }
    for (const route of after) {
      this.#add(route, holder)
      touched.push(route.prefix)
    }
    return touched
  }

  #remove(prefix: string, holder: string): void {
    const holders = this.#holders.get(prefix)
    if (holders instanceof Map) {
      holders.delete(holder)
      if (holders.size === 0) this.#holders.delete(prefix)
    } else if (holders?.holder === holder) this.#holders.delete(prefix)
  }

  #add(route: Route, holder: string): void {
    const { prefix } = route
    const holders = this.#holders.get(prefix)
    if (holders instanceof Map) holders.set(holder, route)
    else if (holders === undefined || holders.holder === holder) {
      this.#holders.set(prefix, { holder, route })
    } else {
      const both = new Map([[holders.holder, holders.route] as const, [holder, route] as const])
      this.#holders.set(prefix, both)
    }
  }

  /** Where holders ask for different things: all communities, and what a router prefers. */
  get(prefix: string): Route | undefined {
    const holders = this.#holders.get(prefix)
    if (!(holders instanceof Map)) return holders?.route
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
