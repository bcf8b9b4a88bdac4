// May Services that have no address be given one? Not while a pool is gone and not noted as that:
// its holders are about to lose theirs, and come first (R3.16). A note that cannot be written, as
// without the definition of ReleasedPool, is awaited for a while only.
import type { ReadonlyLostPools } from '../../core/model/lostPools.ts'

type NotesParts = {
  readonly lost: Pick<ReadonlyLostPools, 'unnoted'>
  readonly sleep: (ms: number) => Promise<void>
  /** One has been awaited for long enough. */
  readonly overdue: () => void
}
type Awaited = { isOverdue: boolean }

/** A note takes a second, or two where the first try fails. */
const longestMs = 5_000

export class AwaitedNotes {
  readonly #parts: NotesParts
  /** By the name of the pool. */
  readonly #awaited = new Map<string, Awaited>()

  constructor(parts: NotesParts) {
    this.#parts = parts
  }

  get areDue(): boolean {
    const pools = this.#parts.lost.unnoted()
    for (const pool of this.#awaited.keys()) if (!pools.includes(pool)) this.#awaited.delete(pool)
    return pools.map((pool) => this.#of(pool)).some(({ isOverdue }) => !isOverdue)
  }

  #of(pool: string): Awaited {
    const known = this.#awaited.get(pool)
    if (known !== undefined) return known
    const awaited = { isOverdue: false }
    this.#awaited.set(pool, awaited)
    void this.#parts.sleep(longestMs).then(() => {
      awaited.isOverdue = true
      this.#parts.overdue()
    })
    return awaited
  }
}
