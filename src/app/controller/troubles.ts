// What went wrong while deciding and writing? A Fault is logged and counted, since it is retried; a
// Bug is logged, and shown until its object is decided without one.
import type { World } from '../../core/model/world.ts'

type Log = (entry: Readonly<Record<string, unknown>>) => void

export class Troubles {
  readonly #log: Log
  readonly #parked = new Map<string, string>()
  readonly #failures = new Map<string, number>()

  /** What is parked is looked at again when something about the object changes. */
  constructor(world: World, log: Log) {
    this.#log = log
    world.listen(({ kind, key }) => this.#parked.delete(`${kind} ${key}`))
  }

  /** One line for each object that cannot be decided. */
  get parked(): readonly string[] {
    return [...this.#parked].map(([object, why]) => `${object}: a bug in Berth: ${why}`).sort()
  }

  /** How many writes failed, by decider. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures
  }

  failed(decider: string, object: string, { message }: Error): void {
    this.#failures.set(decider, (this.#failures.get(decider) ?? 0) + 1)
    this.#log({ level: 'warn', decider, object, message })
  }

  park(decider: string, object: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    const stack = error instanceof Error ? error.stack : undefined
    this.#parked.set(object, message)
    this.#log({ level: 'error', decider, object, message, stack })
  }

  over(object: string): void {
    this.#parked.delete(object)
  }
}
