// How long may a request take? Combines a time limit and the caller's signal.
import { Fault } from './fault.ts'

/** Cheaper than an AbortSignal per request, which would cost as much as the headers. */
export class Deadline {
  readonly #caller: AbortSignal | undefined
  readonly #aborted: () => void
  readonly #timer: NodeJS.Timeout
  #fault: Fault | undefined
  #giveUp: (fault: Fault) => void = () => undefined

  constructor(what: string, ms: number, caller: AbortSignal | undefined) {
    this.#aborted = () => this.#end(new Fault(`${what}: aborted`, { cause: caller?.reason }))
    this.#timer = setTimeout(() => this.#end(new Fault(`${what}: no answer within ${ms} ms`)), ms)
    this.#caller = caller
    if (caller?.aborted) this.#aborted()
    caller?.addEventListener('abort', this.#aborted, { once: true })
  }

  /** Why it is over. */
  get fault(): Fault | undefined {
    return this.#fault
  }

  /** Sets what to do then, replacing an earlier action; runs at once if already over. */
  onOver(giveUp: (fault: Fault) => void): void {
    this.#giveUp = giveUp
    if (this.#fault !== undefined) giveUp(this.#fault)
  }

  /** Removes the time limit; the caller's signal still counts. */
  lift(): void {
    clearTimeout(this.#timer)
  }

  clear(): void {
    this.lift()
    this.#giveUp = () => undefined
    this.#caller?.removeEventListener('abort', this.#aborted)
  }

  #end(fault: Fault): void {
    if (this.#fault !== undefined) return
    this.#fault = fault
    this.#giveUp(fault)
  }
}
