// Who else answers for an address of ours, for how long, and what should we do about it?
import type { Mac } from '../../net/mac.ts'

/** During a handover both may answer for this long. */
const handoverMs = 2_000
/** A MAC that was silent for this long starts a new series. */
const forgottenMs = 10_000
/** RFC 5227 §2.4: defend and report at most once in this time. */
const pauseMs = 10_000
/** Limits the memory that a host with many forged MACs can take. */
const most = 8

type Series = { readonly mac: Mac; readonly firstAt: number; lastAt: number }
type Seen = {
  readonly mac: Mac
  /** It may be a speaker that owned the address before us or will own it after us. */
  readonly mayHandOver: boolean
  readonly now: number
}

export class Owners {
  /** The oldest first. A list: nearly always there is one, and there are thousands of these. */
  #series: readonly Series[] = []
  #toldAt = Number.NEGATIVE_INFINITY

  /** Whether it is time to report, and to announce the address again. */
  isDue({ mac, mayHandOver, now }: Seen): boolean {
    const { firstAt } = this.#heard(mac, now)
    if (mayHandOver && now - firstAt <= handoverMs) return false
    if (now - this.#toldAt < pauseMs) return false
    this.#toldAt = now
    return true
  }

  #heard(mac: Mac, now: number): Series {
    const before = this.#series.find((series) => series.mac === mac)
    if (before !== undefined && now - before.lastAt <= forgottenMs) {
      before.lastAt = now
      return before
    }
    const series = { mac, firstAt: now, lastAt: now }
    const others = this.#series.filter((one) => one !== before)
    this.#series = [...others, series].slice(-most)
    return series
  }
}
