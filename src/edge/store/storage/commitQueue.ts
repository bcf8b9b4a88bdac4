// When is a write decided, and when is it durable? All waiting writes are decided in order in one
// turn of the event loop and share one commit, so nothing can be read that is not durable.

/** The batch that writers work on. */
type Ledger<Tx> = {
  readonly tx: Tx
  /** How many changes the batch has so far. */
  readonly size: () => number
  /** Undoes all but the first `size` changes. */
  readonly undoTo: (size: number) => void
  /** Makes the batch durable, or throws; then it is undone. */
  readonly commit: () => void
  readonly publish: () => void
}

type Waiting<Tx> = {
  /** Returns the function that answers the writer once the batch is durable. */
  readonly decide: (tx: Tx) => () => void
  readonly reject: (error: unknown) => void
}

/** A longer queue takes several batches, so that reads can run in between. */
const mostInOneBatch = 256

export class CommitQueue<Tx> {
  readonly #ledger: Ledger<Tx>
  readonly #waiting: Waiting<Tx>[] = []
  #scheduled: NodeJS.Immediate | undefined

  constructor(ledger: Ledger<Tx>) {
    this.#ledger = ledger
  }

  add<T>(decide: (tx: Tx) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const decided = (tx: Tx): (() => void) => {
        const value = decide(tx)
        return () => resolve(value)
      }
      this.#waiting.push({ decide: decided, reject })
      this.#schedule()
    })
  }

  /** Runs all waiting writes now. */
  finish(): void {
    while (this.#waiting.length > 0) this.#commitBatch()
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => this.#commitBatch())
  }

  #commitBatch(): void {
    clearImmediate(this.#scheduled)
    this.#scheduled = undefined
    const batch = this.#waiting.splice(0, mostInOneBatch)
    if (this.#waiting.length > 0) this.#schedule()
    const answers = batch.flatMap((waiting) => this.#decide(waiting))
    try {
      this.#ledger.commit()
    } catch (error) {
      this.#ledger.undoTo(0)
      // Also those that wrote nothing: they may have read what is undone now.
      for (const { reject } of batch) reject(error)
      return
    }
    for (const answer of answers) answer()
    this.#ledger.publish()
  }

  /** If one throws, only its own changes are undone; the others continue. */
  #decide({ decide, reject }: Waiting<Tx>): readonly (() => void)[] {
    const size = this.#ledger.size()
    try {
      return [decide(this.#ledger.tx)]
    } catch (error) {
      this.#ledger.undoTo(size)
      reject(error)
      return []
    }
  }
}
