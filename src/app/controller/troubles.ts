// What went wrong while deciding and writing? A Fault is logged and counted, since it is retried; a
// Bug is logged, and shown until the same is decided without one.

type Log = (entry: Readonly<Record<string, unknown>>) => void

export class Troubles {
  readonly #log: Log
  readonly #parked = new Map<string, string>()
  readonly #failures = new Map<string, number>()

  constructor(log: Log) {
    this.#log = log
  }

  /** One line for each object that cannot be decided. */
  get parked(): readonly string[] {
    return [...this.#parked.values()].sort()
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
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    const key = `${decider} ${object}`
    const text = `${object}: a bug in Berth (${decider}): ${message}`
    // The same may come with every change.
    if (this.#parked.get(key) === text) return
    this.#parked.set(key, text)
    this.#log({ level: 'error', decider, object, message, stack })
  }

  over(decider: string, object: string): void {
    if (this.#parked.size > 0) this.#parked.delete(`${decider} ${object}`)
  }
}
