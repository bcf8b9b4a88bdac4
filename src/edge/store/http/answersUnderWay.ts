// How much memory do answers use that nobody reads? Up to a limit; then those that made no progress
// for longest are cut off.

/** A client that reads takes the next piece sooner. */
const stalledMs = 2_000

type Answer = { readonly lengthBytes: number; readonly cut: () => void; movedAt: number }

type Progress = { readonly moved: () => void; readonly ended: () => void }

export class AnswersUnderWay {
  readonly #mostBytes: number
  readonly #nowMs: () => number
  /** The one that made progress last is last. */
  readonly #answers = new Set<Answer>()
  #bytes = 0

  constructor(mostBytes: number, nowMs: () => number = () => performance.now()) {
    this.#mostBytes = mostBytes
    this.#nowMs = nowMs
  }

  begin(lengthBytes: number, cut: () => void): Progress {
    const answer: Answer = { lengthBytes, cut, movedAt: this.#nowMs() }
    this.#answers.add(answer)
    this.#bytes += lengthBytes
    this.#cutStalled()
    return {
      moved: () => {
        if (!this.#answers.delete(answer)) return
        answer.movedAt = this.#nowMs()
        this.#answers.add(answer)
      },
      ended: () => this.#forget(answer),
    }
  }

  #cutStalled(): void {
    for (const answer of this.#answers) {
      const isStalled = this.#nowMs() - answer.movedAt > stalledMs
      if (this.#bytes <= this.#mostBytes || !isStalled) return
      this.#forget(answer)
      answer.cut()
    }
  }

  #forget(answer: Answer): void {
    if (this.#answers.delete(answer)) this.#bytes -= answer.lengthBytes
  }
}
