// Who would hold what if one Service held nothing? Its one or two slots without it, the rest as is.
import type { Ip } from '../net/ip.ts'
import type { Holding, ReadonlyLedger } from './ledger.ts'
import type { Pool } from './pool.ts'
import type { Vacated } from './poolWithout.ts'
import type { ReadonlyPoolLedger } from './readonlyPoolLedger.ts'
import type { Key } from './service.ts'
import type { ReadonlySlot, Slot } from './slot.ts'

export class LedgerWithout implements ReadonlyLedger {
  readonly #ledger: ReadonlyLedger
  readonly #key: Key
  readonly #slots: ReadonlyMap<Ip, Slot>
  readonly #pools = new Map<string, ReadonlyPoolLedger>()

  constructor(ledger: ReadonlyLedger, key: Key, held: readonly Slot[]) {
    this.#ledger = ledger
    this.#key = key
    const vacated = held.map((before) => ({ before, after: before.without(key) }))
    this.#slots = new Map(vacated.map(({ after }) => [after.ip, after]))
    for (const { pool } of held) {
      if (pool !== undefined)
        this.#pools.set(pool.pool.name, pool.without(vacated.filter(isIn(pool))))
    }
  }

  pool(name: string): ReadonlyPoolLedger | undefined {
    return this.#pools.get(name) ?? this.#ledger.pool(name)
  }

  poolOf(ip: Ip): Pool | undefined {
    return this.#ledger.poolOf(ip)
  }

  avoidedBy(ip: Ip): Pool | undefined {
    return this.#ledger.avoidedBy(ip)
  }

  slot(ip: Ip): ReadonlySlot | undefined {
    const slot = this.#slots.get(ip)
    if (slot === undefined) return this.#ledger.slot(ip)
    return slot.isEmpty ? undefined : slot
  }

  slots(): Iterable<ReadonlySlot> {
    return this.#vacated(this.#ledger.slots())
  }

  slotsIn(pool: string): Iterable<ReadonlySlot> {
    return this.#vacated(this.#ledger.slotsIn(pool))
  }

  *#vacated(slots: Iterable<ReadonlySlot>): Iterable<ReadonlySlot> {
    for (const { ip } of slots) {
      const slot = this.slot(ip)
      if (slot !== undefined) yield slot
    }
  }

  holding(key: Key): Holding | undefined {
    return key === this.#key ? undefined : this.#ledger.holding(key)
  }
}

const isIn =
  (pool: ReadonlyPoolLedger) =>
  ({ before }: Vacated): boolean =>
    before.pool === pool
