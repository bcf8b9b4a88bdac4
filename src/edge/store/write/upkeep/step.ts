// How is much work done without blocking requests? In small steps, each a write of its own, which
// returns the next step.
import type { Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'

/** The most objects in one turn of the event loop. */
export const mostAtOnce = 200

/** The most that is read in one: about 10 ms. A larger object has a turn of its own. */
const mostBytesAtOnce = 1024 * 1024

type Spot = Pick<Stored, 'resource' | 'namespace' | 'name'>

/** Where the handful ends that begins with `all[at]`, by the size that each object has now. */
export function endOfHandful(
  tx: Pick<Transaction, 'get'>,
  all: readonly Spot[],
  at: number,
): number {
  const most = Math.min(at + mostAtOnce, all.length)
  let [end, bytes] = [at, 0]
  for (; end < most; end += 1) {
    const spot = all[end]
    const stored = spot && tx.get(spot.resource, spot.namespace, spot.name)
    bytes += stored?.bytes.length ?? 0
    if (bytes > mostBytesAtOnce && end > at) break
  }
  return end
}

export type Step = 'done' | Task
export type Task = (tx: Transaction) => Step

type Handfuls<T extends Spot> = {
  /** Fixed at the start: an object that was handled may still exist, and must not come again. */
  readonly all: readonly T[]
  readonly each: (tx: Transaction, one: T) => void
  readonly last: Task
}

export function inHandfuls<T extends Spot>({ all, each, last }: Handfuls<T>): Task {
  const from =
    (at: number): Task =>
    (tx) => {
      const end = endOfHandful(tx, all, at)
      for (const one of all.slice(at, end)) each(tx, one)
      return end < all.length ? from(end) : last(tx)
    }
  return from(0)
}
