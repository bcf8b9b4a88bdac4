// In which pool would an address lie if some pools were different? Who holds it stays as it is.
import type { Ip } from '../net/ip.ts'
import { type Holding, Ledger, type ReadonlyLedger } from './ledger.ts'
import type { Pool } from './pool.ts'
import type { ReadonlyPoolLedger } from './readonlyPoolLedger.ts'
import type { Key } from './service.ts'
import type { ReadonlySlot } from './slot.ts'

export class LedgerConfigured implements ReadonlyLedger {
  readonly #ledger: ReadonlyLedger
  readonly #changed: ReadonlyMap<string, Pool | undefined>
  /** The changed pools alone, where nobody holds anything. */
  readonly #after = new Ledger()

  constructor(ledger: ReadonlyLedger, changed: ReadonlyMap<string, Pool | undefined>) {
    this.#ledger = ledger
    this.#changed = changed
    for (const [name, pool] of changed) this.#after.setPool(name, pool)
  }

  pool(name: string): ReadonlyPoolLedger | undefined {
    return this.#of(name).pool(name)
  }

  poolOf(ip: Ip): Pool | undefined {
    return this.#after.poolOf(ip) ?? this.#unchanged(this.#ledger.poolOf(ip))
  }

  avoidedBy(ip: Ip): Pool | undefined {
    return this.#after.avoidedBy(ip) ?? this.#unchanged(this.#ledger.avoidedBy(ip))
  }

  slot(ip: Ip): ReadonlySlot | undefined {
    return this.#ledger.slot(ip)
  }

  slots(): Iterable<ReadonlySlot> {
    return this.#ledger.slots()
  }

  slotsIn(pool: string): Iterable<ReadonlySlot> {
    return this.#ledger.slotsIn(pool)
  }

  holding(key: Key): Holding | undefined {
    return this.#ledger.holding(key)
  }

  #of(name: string): ReadonlyLedger {
    return this.#changed.has(name) ? this.#after : this.#ledger
  }

  #unchanged(pool: Pool | undefined): Pool | undefined {
    return pool !== undefined && this.#changed.has(pool.name) ? undefined : pool
  }
}
