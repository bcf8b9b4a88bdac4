// How is much work done without blocking requests? In small steps, each a write of its own, which
// returns the next step.
import type { Transaction } from '../../storage/objects.ts'

/** The most objects in one turn of the event loop. */
export const mostAtOnce = 200

export type Step = 'done' | Task
export type Task = (tx: Transaction) => Step

type Handfuls<T> = {
  /** Fixed at the start: an object that was handled may still exist, and must not come again. */
  readonly all: readonly T[]
  readonly each: (tx: Transaction, one: T) => void
  readonly last: Task
}

export function inHandfuls<T>({ all, each, last }: Handfuls<T>): Task {
  const from =
    (at: number): Task =>
    (tx) => {
      const end = at + mostAtOnce
      for (const one of all.slice(at, end)) each(tx, one)
      return end < all.length ? from(end) : last(tx)
    }
  return from(0)
}
