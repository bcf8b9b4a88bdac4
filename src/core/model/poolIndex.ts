// Which pools answer to a name, which belong to a tenant? By priority, then name (M3.2).
import type { Pool } from './pool.ts'

type Lists = readonly (readonly Pool[])[]

/** What policy may ask. */
export type ReadonlyPoolIndex = {
  answering(name: string): readonly Pool[]
  /** Those with a serviceAllocation, then the rest. The empty name stands for no tenant. */
  ofTenant(name: string): Lists
}

export class PoolIndex implements ReadonlyPoolIndex {
  readonly #pools: ReadonlyMap<string, Pool>
  #byAnswer: Map<string, Pool[]> | undefined
  #byTenant: Map<string, Lists> | undefined

  constructor(pools: ReadonlyMap<string, Pool>) {
    this.#pools = pools
  }

  answering(name: string): readonly Pool[] {
    this.#byAnswer ??= this.#grouped((pool) => new Set([pool.name, ...pool.serves]))
    return this.#byAnswer.get(name) ?? []
  }

  ofTenant(name: string): Lists {
    this.#byTenant ??= listed(this.#grouped((pool) => [pool.tenant]))
    return this.#byTenant.get(name) ?? []
  }

  forget(): void {
    this.#byAnswer = undefined
    this.#byTenant = undefined
  }

  #grouped(keys: (pool: Pool) => Iterable<string>): Map<string, Pool[]> {
    const index = new Map<string, Pool[]>()
    for (const pool of [...this.#pools.values()].sort(byPriority)) {
      for (const key of keys(pool)) {
        const known = index.get(key)
        if (known === undefined) index.set(key, [pool])
        else known.push(pool)
      }
    }
    return index
  }
}

function listed(index: ReadonlyMap<string, readonly Pool[]>): Map<string, Lists> {
  const isPinned = ({ allocation }: Pool) => allocation !== undefined
  return new Map(
    [...index].map(([name, pools]) => [
      name,
      [pools.filter(isPinned), pools.filter((pool) => !isPinned(pool))],
    ]),
  )
}

/** 1 before 2, none at all last; equal ones by name. */
export function byPriority(one: Pool, other: Pool): number {
  const [a, b] = [rank(one), rank(other)]
  if (a !== b) return a < b ? -1 : 1
  return one.name < other.name ? -1 : 1
}

function rank({ allocation }: Pool): number {
  const priority = allocation?.priority ?? 0
  return priority === 0 ? Number.POSITIVE_INFINITY : priority
}
