// When may the next piece of work begin? One in each turn of the loop: timers run between two of
// them, however many wait.

export class EventLoopQueue {
  #last: Promise<void> = Promise.resolve()

  /** In the order in which they asked. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return this.#last
  }
}
