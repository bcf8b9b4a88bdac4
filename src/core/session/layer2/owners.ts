// Who else says that an address of ours is his, for how long, and what is to be done about it?
import type { Mac } from '../../net/mac.ts'

/** In a handover both may answer for a while. */
const handoverMs = 2_000
/** Who was not heard for that long begins anew. */
const forgottenMs = 10_000
/** RFC 5227 §2.4: one defence in this time; and as often is it told. */
const pauseMs = 10_000
/** Anybody can send under many names. */
const most = 8

type Series = { firstAt: number; lastAt: number }
type Seen = {
  readonly mac: Mac
  /** It may be a speaker that has the address before us or after us. */
  readonly mayHandOver: boolean
  readonly now: number
}

export class Owners {
  readonly #series = new Map<Mac, Series>()
  #toldAt = Number.NEGATIVE_INFINITY

  /** Whether it is time to tell, and to say again whose it is. */
  isDue({ mac, mayHandOver, now }: Seen): boolean {
    const { firstAt } = this.#heard(mac, now)
    if (mayHandOver && now - firstAt <= handoverMs) return false
    if (now - this.#toldAt < pauseMs) return false
    this.#toldAt = now
    return true
  }

  #heard(mac: Mac, now: number): Series {
    const before = this.#series.get(mac)
    if (before !== undefined && now - before.lastAt <= forgottenMs) {
      before.lastAt = now
      return before
    }
    const series = { firstAt: now, lastAt: now }
    // Last in the order of the map: the first is who was new the longest ago.
    this.#series.delete(mac)
    this.#series.set(mac, series)
    const [oldest] = this.#series.keys()
    if (this.#series.size > most && oldest !== undefined) this.#series.delete(oldest)
    return series
  }
}
