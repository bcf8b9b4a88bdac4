// Until when may a request take? A time limit and the caller's own signal, in one.
import { Fault } from './fault.ts'

/** A signal for each request would cost as much as its headers. */
export class Deadline {
  readonly #caller: AbortSignal | undefined
  readonly #aborted: () => void
  readonly #timer: NodeJS.Timeout
  #fault: Fault | undefined
  #giveUp: (fault: Fault) => void = () => undefined

  constructor(what: string, ms: number, caller: AbortSignal | undefined) {
    this.#aborted = () => this.#end(new Fault(`${what}: given up`, { cause: caller?.reason }))
    this.#timer = setTimeout(() => this.#end(new Fault(`${what}: no answer within ${ms} ms`)), ms)
    this.#caller = caller
    if (caller?.aborted) this.#aborted()
    caller?.addEventListener('abort', this.#aborted, { once: true })
  }

  /** Why it is over. */
  get fault(): Fault | undefined {
    return this.#fault
  }

  /** What is to be done then, in place of what was said before; at once when it is over already. */
  onOver(giveUp: (fault: Fault) => void): void {
    this.#giveUp = giveUp
    if (this.#fault !== undefined) giveUp(this.#fault)
  }

  /** No limit from here on; the caller's signal still counts. */
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
