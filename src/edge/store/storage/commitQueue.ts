// When is a write decided, and when is it durable? Waiting writes are decided together in one turn
// of the event loop and share one commit, so nothing can be read that is not durable.

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
/** As does one whose writes take long: a batch takes no longer than this and one write. */
const longestBatchMs = 50

export class CommitQueue<Tx> {
  readonly #ledger: Ledger<Tx>
  /** By who asked, in the order of their turns. */
  readonly #lines = new Map<string, Waiting<Tx>[]>()
  #scheduled: NodeJS.Immediate | undefined

  constructor(ledger: Ledger<Tx>) {
    this.#ledger = ledger
  }

  /** The writes of one user are decided in order; users take turns. */
  add<T>(decide: (tx: Tx) => T, user = ''): Promise<T> {
    return new Promise((resolve, reject) => {
      const decided = (tx: Tx): (() => void) => {
        const value = decide(tx)
        return () => resolve(value)
      }
      const line = this.#lines.get(user) ?? []
      line.push({ decide: decided, reject })
      this.#lines.set(user, line)
      this.#schedule()
    })
  }

  /** Runs all waiting writes now. */
  finish(): void {
    while (this.#lines.size > 0) this.#commitBatch()
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => this.#commitBatch())
  }

  #next(): Waiting<Tx> | undefined {
    const [first] = this.#lines
    if (first === undefined) return undefined
    const [user, line] = first
    this.#lines.delete(user)
    const next = line.shift()
    if (line.length > 0) this.#lines.set(user, line)
    return next
  }

  #commitBatch(): void {
    clearImmediate(this.#scheduled)
    this.#scheduled = undefined
    const batch: Waiting<Tx>[] = []
    const answers: (() => void)[] = []
    const until = performance.now() + longestBatchMs
    do {
      const next = this.#next()
      if (next === undefined) break
      batch.push(next)
      answers.push(...this.#decide(next))
    } while (batch.length < mostInOneBatch && performance.now() < until)
    if (this.#lines.size > 0) this.#schedule()
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
