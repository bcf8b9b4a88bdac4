// When is a write decided, and when is it done? All that wait are decided in order, in one
// turn of the event loop, and share one commit: nothing can be read that is not durable.

/** What the writers of one batch do their work on. */
type Ledger<Tx> = {
  readonly tx: Tx
  /** How many changes the batch has so far. */
  readonly size: () => number
  /** Takes back all but the first so many. */
  readonly undoTo: (size: number) => void
  /** Makes the batch durable, or throws; then it is taken back. */
  readonly commit: () => void
  readonly publish: () => void
}

type Waiting<Tx> = {
  /** Answers how to answer the writer, once it is durable. */
  readonly decide: (tx: Tx) => () => void
  readonly reject: (error: unknown) => void
}

/** A longer queue is cut into turns, so that reads get between. */
const mostInOneTurn = 256

export class CommitQueue<Tx> {
  readonly #ledger: Ledger<Tx>
  readonly #waiting: Waiting<Tx>[] = []
  #turn: NodeJS.Immediate | undefined

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

  /** Everything that waits is done now. */
  finish(): void {
    while (this.#waiting.length > 0) this.#runTurn()
  }

  #schedule(): void {
    this.#turn ??= setImmediate(() => this.#runTurn())
  }

  #runTurn(): void {
    clearImmediate(this.#turn)
    this.#turn = undefined
    const batch = this.#waiting.splice(0, mostInOneTurn)
    if (this.#waiting.length > 0) this.#schedule()
    const answers = batch.flatMap((waiting) => this.#decide(waiting))
    try {
      this.#ledger.commit()
    } catch (error) {
      this.#ledger.undoTo(0)
      // Also those who wrote nothing: they may have read what was now taken back.
      for (const { reject } of batch) reject(error)
      return
    }
    for (const answer of answers) answer()
    this.#ledger.publish()
  }

  /** One that throws takes back its own changes and is answered already; the others go on. */
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
