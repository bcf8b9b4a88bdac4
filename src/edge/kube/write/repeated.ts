// What is tried every second can fail every second: the same failure is logged once, and again
// after another one or once it went well.

type Log = (entry: Readonly<Record<string, unknown>>) => void

export class Repeated {
  readonly #log: Log
  /** The last failure of each object. */
  readonly #failures = new Map<string, string>()

  constructor(log: Log) {
    this.#log = log
  }

  async try(object: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
      this.#failures.delete(object)
    } catch (error) {
      const message = String(error)
      if (this.#failures.get(object) === message) return
      this.#failures.set(object, message)
      this.#log({ level: 'warn', object, message })
    }
  }
}
