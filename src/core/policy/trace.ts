// What was asked and answered while a Service was decided? Kept only for whoever explains it.
import type { Pool } from '../model/pool.ts'
import type { Verdict } from '../model/reason.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import type { AddressRequest } from './addressRequest.ts'
import type { Allocation } from './allocate.ts'
import type { Listener, RuleResult } from './rule.ts'

type Decided = {
  readonly request: AddressRequest
  readonly held: readonly Ip[]
  /** Absent where it holds nothing. */
  readonly keeps: Verdict | undefined
  /** What it gets, or would get if it held nothing. */
  readonly anew: Allocation
}
type PoolTrace = { readonly answers: Map<string, RuleResult>; offers: readonly Ip[] }

export class Trace {
  /** Absent where the Service is not ours. */
  decided: Decided | undefined
  /** The addresses asked for, after translation. */
  means: readonly Ip[] = []
  readonly keeping: RuleResult[] = []
  readonly request: RuleResult[] = []
  /** Of the other family, where it holds one of two and asks for both. */
  #second: Trace | undefined
  readonly #pools = new Map<Pool, PoolTrace>()
  readonly #considered = new Set<Pool>()

  get second(): Trace | undefined {
    return this.#second
  }

  forSecond(): Trace {
    this.#second = new Trace()
    return this.#second
  }

  readonly onKeeping: Listener = (result) => this.keeping.push(result)

  readonly onRequest: Listener = (result) => this.request.push(result)

  /** A rule that is asked again is recorded as it answered last. */
  readonly on = (pool: Pool): Listener => {
    const { answers } = this.of(pool)
    return (result) => answers.set(result.rule, result)
  }

  of(pool: Pool): PoolTrace {
    const known = this.#pools.get(pool) ?? { answers: new Map(), offers: [] }
    this.#pools.set(pool, known)
    return known
  }

  /** Whoever listens also hears the pools that a decision has no need to ask. */
  onEach({ pools }: ReadonlyWorld, hear: (pool: Pool, listener: Listener) => void): void {
    for (const pool of pools.values()) hear(pool, this.on(pool))
  }

  offer(pool: Pool, ips: readonly Ip[] = []): void {
    this.of(pool).offers = ips
  }

  consider(pools: Iterable<Pool>): void {
    for (const pool of pools) this.#considered.add(pool)
  }

  /** Those that were considered, in their order, then the others by name. */
  pools(): Pool[] {
    const others = [...this.#pools.keys()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return [...new Set([...this.#considered, ...others])]
  }
}
