// When does an address begin to be answered for, and when does that end? Mostly at once; one that
// moves to another node ends a little later, one that a split may still hold begins a little later.
import type { Ip } from '../../core/net/ip.ts'
import type { Claimed } from '../../core/session/layer2/claim.ts'
import type { Layer2Driver } from './drivers.ts'

export type AnswerParts = {
  readonly driver: Pick<Layer2Driver, 'announce' | 'withdraw'>
  readonly nowMs: () => number
  /** Calls back once; answers how to forget it. */
  readonly after: (ms: number, act: () => void) => () => void
}

type Pending = { readonly atMs: number; readonly claim: Claimed | undefined }

export class Answers {
  readonly #parts: AnswerParts
  readonly #answered = new Set<Ip>()
  readonly #pending = new Map<Ip, Pending>()
  readonly #announce = new Map<Ip, Claimed>()
  readonly #withdraw = new Set<Ip>()
  #timer: { readonly atMs: number; readonly forget: () => void } | undefined

  constructor(parts: AnswerParts) {
    this.#parts = parts
  }

  /** The addresses that this node answers for now, or will once their probes are done. */
  get addresses(): ReadonlySet<Ip> {
    return this.#answered
  }

  begin(claim: Claimed, inMs = 0): void {
    const { address } = claim
    this.#pending.delete(address)
    if (inMs > 0) this.#wait(address, inMs, claim)
    else {
      this.#withdraw.delete(address)
      this.#answered.add(address)
      this.#announce.set(address, claim)
    }
  }

  end(address: Ip, inMs = 0): void {
    this.#pending.delete(address)
    if (!this.#answered.has(address)) return
    if (inMs > 0) this.#wait(address, inMs, undefined)
    else {
      this.#announce.delete(address)
      this.#answered.delete(address)
      this.#withdraw.add(address)
    }
  }

  /** Hands on what has been said since the last time, many at once. */
  flush(): void {
    const { driver } = this.#parts
    if (this.#withdraw.size > 0) driver.withdraw([...this.#withdraw])
    if (this.#announce.size > 0) driver.announce([...this.#announce.values()])
    this.#withdraw.clear()
    this.#announce.clear()
  }

  /** What is answered for stays so; nothing begins or ends by itself any more. */
  stay(): void {
    this.#pending.clear()
    this.#timer?.forget()
    this.#timer = undefined
  }

  #wait(address: Ip, inMs: number, claim: Claimed | undefined): void {
    const atMs = this.#parts.nowMs() + inMs
    this.#pending.set(address, { atMs, claim })
    this.#wake(atMs)
  }

  #wake(atMs: number): void {
    if (this.#timer !== undefined && this.#timer.atMs <= atMs) return
    this.#timer?.forget()
    const forget = this.#parts.after(Math.max(0, atMs - this.#parts.nowMs()), () => this.#ring())
    this.#timer = { atMs, forget }
  }

  #ring(): void {
    this.#timer = undefined
    const now = this.#parts.nowMs()
    let next = Number.POSITIVE_INFINITY
    for (const [address, { atMs, claim }] of this.#pending) {
      if (atMs > now) next = Math.min(next, atMs)
      else if (claim === undefined) this.end(address)
      else this.begin(claim)
    }
    this.flush()
    if (next < Number.POSITIVE_INFINITY) this.#wake(next)
  }
}
