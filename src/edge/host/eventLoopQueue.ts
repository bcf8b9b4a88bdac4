// When may the next piece of work begin? One in each turn of the loop: timers run between two of
// them, however many wait. Sources take turns, so that the many of one do not keep another waiting.

export class EventLoopQueue {
  /** By source, in the order of their turns. */
  readonly #lines = new Map<string, (() => void)[]>()
  #isRunning = false

  /** In the order in which the source asked. */
  next(source: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#lines.get(source)
      if (line === undefined) this.#lines.set(source, [resolve])
      else line.push(resolve)
      if (!this.#isRunning) setImmediate(() => this.#beginNext())
      this.#isRunning = true
    })
  }

  #beginNext(): void {
    const [first] = this.#lines
    this.#isRunning = first !== undefined
    if (first === undefined) return
    const [source, line] = first
    const begin = line.shift()
    this.#lines.delete(source)
    if (line.length > 0) this.#lines.set(source, line)
    setImmediate(() => this.#beginNext())
    begin?.()
  }
}
