// Of which pool is an address, and what announces it? As the stand-ins of MetalLB read both.
import { fromBigInt, type Ip, toBigInt } from '../../src/core/net/ip.ts'
import { parseRange, type Range } from '../../src/core/net/range.ts'

type Named = { readonly metadata: { readonly name: string } }
type Pool = Named & {
  readonly spec: { readonly addresses: readonly string[]; readonly autoAssign?: boolean }
}
type Advertisement = Named & { readonly spec?: { readonly ipAddressPools?: readonly string[] } }
type List = <T>(path: string) => Promise<readonly T[]>

const ranges = ({ spec }: Pool): readonly Range[] =>
  spec.addresses.flatMap((text) => {
    const range = parseRange(text)
    return range.ok ? [range.value] : []
  })

export class Pools {
  readonly #pools: readonly Pool[]

  constructor(pools: readonly Pool[]) {
    this.#pools = pools.toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))
  }

  /** The lowest that nobody holds: of the pool that is asked for, or of any that gives by itself. */
  free(asked: string | undefined, held: ReadonlySet<string>): Ip | undefined {
    const pools = this.#pools.filter(({ metadata, spec }) =>
      asked === undefined ? spec.autoAssign !== false : metadata.name === asked,
    )
    for (const { family, first, last } of pools.flatMap(ranges)) {
      for (let value = first; value <= last; value++) {
        const ip = fromBigInt(family, value)
        if (!held.has(ip)) return ip
      }
    }
    return undefined
  }

  /** One without names is for all pools. */
  isAnnounced(ip: Ip, advertisements: readonly Advertisement[]): boolean {
    const pool = this.#pools.find((one) =>
      ranges(one).some(({ first, last }) => first <= toBigInt(ip) && toBigInt(ip) <= last),
    )
    return advertisements.some(({ spec: { ipAddressPools = [] } = {} }) =>
      ipAddressPools.length === 0
        ? pool !== undefined
        : ipAddressPools.includes(pool?.metadata.name ?? ''),
    )
  }
}

type Configured = {
  readonly pools: Pools
  readonly onLayer2: readonly Advertisement[]
  readonly byBgp: readonly Advertisement[]
}

/** Looked at once a second: it hardly changes. */
const againMs = 1_000

export function readConfigured(list: List, metallb: string): () => Promise<Configured> {
  let [last, readAtMs]: [Configured | undefined, number] = [undefined, 0]
  return async () => {
    if (last !== undefined && performance.now() - readAtMs < againMs) return last
    const [pools, onLayer2, byBgp] = await Promise.all([
      list<Pool>(`${metallb}/ipaddresspools`),
      list<Advertisement>(`${metallb}/l2advertisements`),
      list<Advertisement>(`${metallb}/bgpadvertisements`),
    ])
    last = { pools: new Pools(pools), onLayer2, byBgp }
    readAtMs = performance.now()
    return last
  }
}
