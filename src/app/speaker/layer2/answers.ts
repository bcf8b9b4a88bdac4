// When does this node start and stop answering for an address? Mostly at once. An address that
// moves away ends a little later; one that the other side of a split may still hold starts a little
// later.
import type { Ip } from '../../../core/net/ip.ts'
import type { Announcement } from '../../../core/session/layer2/announcement.ts'
import type { Layer2Driver } from './thread/startThread.ts'

type AnswerParts = {
  readonly driver: Pick<Layer2Driver, 'announce' | 'withdraw'>
  readonly nowMs: () => number
  /** Calls back once; returns a function that cancels it. */
  readonly after: (ms: number, act: () => void) => () => void
}

type Pending = { readonly atMs: number; readonly announcement: Announcement | undefined }

export class Answers {
  readonly #parts: AnswerParts
  readonly #answered = new Set<Ip>()
  readonly #announced = new Set<Ip>()
  readonly #refused = new Set<Ip>()
  readonly #pending = new Map<Ip, Pending>()
  readonly #announce = new Map<Ip, Announcement>()
  readonly #withdraw = new Set<Ip>()
  #timer: { readonly atMs: number; readonly forget: () => void } | undefined

  constructor(parts: AnswerParts) {
    this.#parts = parts
  }

  /** Addresses that this node answers for, or will once probed. */
  get addresses(): ReadonlySet<Ip> {
    return this.#answered
  }

  /** Addresses that layer 2 answers for: probed, or without need of a probe. */
  get announced(): ReadonlySet<Ip> {
    return this.#announced
  }

  /** Addresses that another machine has. */
  get refused(): ReadonlySet<Ip> {
    return this.#refused
  }

  /** Layer 2 answers now. Returns whether that is new and the address has not ended since. */
  started(address: Ip): boolean {
    if (!this.#answered.has(address)) return false
    const wasRefused = this.#refused.delete(address)
    const isNew = !this.#announced.has(address)
    this.#announced.add(address)
    return isNew || wasRefused
  }

  /** Layer 2 does not answer because another machine has the address on some interface. */
  refuse(address: Ip): boolean {
    if (!this.#answered.has(address) || this.#announced.has(address)) return false
    const isNew = !this.#refused.has(address)
    this.#refused.add(address)
    return isNew
  }

  begin(announcement: Announcement, inMs = 0): void {
    const { address } = announcement
    const before = this.#pending.get(address)
    this.#pending.delete(address)
    if (inMs > 0) this.#wait(address, inMs, announcement)
    else {
      // Another node may have announced it since. Layer 2 repeats its burst only after a
      // withdrawal.
      const isComingBack = before !== undefined && before.announcement === undefined
      if (isComingBack) this.#withdraw.add(address)
      else if (!this.#answered.has(address)) this.#withdraw.delete(address)
      this.#answered.add(address)
      this.#announce.set(address, announcement)
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

  /** Sends what was queued since the last flush, in as few messages as possible. */
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

  /** Keeps answering for the current addresses; nothing starts or ends by itself any more. */
  stay(): void {
    this.#pending.clear()
    this.#timer?.forget()
    this.#timer = undefined
  }

  #wait(address: Ip, inMs: number, announcement: Announcement | undefined): void {
    const atMs = this.#parts.nowMs() + inMs
    this.#pending.set(address, { atMs, announcement })
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
    for (const [address, { atMs, announcement }] of this.#pending) {
      if (atMs > now) next = Math.min(next, atMs)
      else if (announcement === undefined) this.end(address)
      else this.begin(announcement)
    }
    this.flush()
    if (next < Number.POSITIVE_INFINITY) this.#wake(next)
  }
}
