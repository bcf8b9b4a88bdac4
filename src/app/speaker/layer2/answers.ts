// When does an address begin to be answered for, and when does that end? Mostly at once; one that
// moves to another node ends a little later, one that a split may still hold begins a little later.
import type { Ip } from '../../../core/net/ip.ts'
import type { Claimed } from '../../../core/session/layer2/claim.ts'
import type { Layer2Driver } from './thread/startThread.ts'

type AnswerParts = {
  readonly driver: Pick<Layer2Driver, 'announce' | 'withdraw'>
  readonly nowMs: () => number
  /** Calls back once; answers how to forget it. */
  readonly after: (ms: number, act: () => void) => () => void
}

type Pending = { readonly atMs: number; readonly claim: Claimed | undefined }

export class Answers {
  readonly #parts: AnswerParts
  readonly #answered = new Set<Ip>()
  readonly #announced = new Set<Ip>()
  readonly #refused = new Set<Ip>()
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

  /** Those that layer 2 has begun with: their probes are done, or there was no need of any. */
  get announced(): ReadonlySet<Ip> {
    return this.#announced
  }

  /** Those that another machine has. */
  get refused(): ReadonlySet<Ip> {
    return this.#refused
  }

  /** Layer 2 has begun. Answers whether that is news: what ended meanwhile is none. */
  started(address: Ip): boolean {
    if (!this.#answered.has(address)) return false
    const wasRefused = this.#refused.delete(address)
    const isNew = !this.#announced.has(address)
    this.#announced.add(address)
    return isNew || wasRefused
  }

  /** Layer 2 has not begun, for another machine has it on some interface. */
  refuse(address: Ip): boolean {
    if (!this.#answered.has(address) || this.#announced.has(address)) return false
    const isNew = !this.#refused.has(address)
    this.#refused.add(address)
    return isNew
  }

  begin(claim: Claimed, inMs = 0): void {
    const { address } = claim
    const before = this.#pending.get(address)
    this.#pending.delete(address)
    if (inMs > 0) this.#wait(address, inMs, claim)
    else {
      // Another may have announced it since: layer 2 only says anew what it was told to drop.
      const isComingBack = before !== undefined && before.claim === undefined
      if (isComingBack) this.#withdraw.add(address)
      else if (!this.#answered.has(address)) this.#withdraw.delete(address)
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
    for (const address of this.#withdraw) {
      if (this.#answered.has(address)) continue
      this.#announced.delete(address)
      this.#refused.delete(address)
    }
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
