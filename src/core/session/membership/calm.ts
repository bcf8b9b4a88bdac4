// May what others say lie for a beat before it is read? While nothing happens it may: who is woken
// by each beat of each other does little else. But an accusation has to be contradicted at once: so
// whoever misses two beats in a row tells all to listen, by reports of nothing, before it accuses.
import type { Ground } from './ground.ts'
import type { LinkBeats } from './linkBeats.ts'
import type { Watching } from './watching.ts'

/** After anything that is news. */
const listenBeats = 25
const warnBeats = 2

export class Calm {
  readonly #ground: Ground
  readonly #watches: readonly Pick<Watching | LinkBeats, 'isUneasy'>[]
  #until = Number.NEGATIVE_INFINITY
  #warnAt = Number.NEGATIVE_INFINITY

  constructor(ground: Ground, watches: readonly [Watching, LinkBeats], now: number) {
    this.#ground = ground
    this.#watches = watches
    this.disturb(now)
  }

  /** Something happens. */
  disturb(now: number): void {
    this.#until = now + listenBeats * this.#ground.timing.beatMs
  }

  isCalm(now: number): boolean {
    return now >= this.#until
  }

  tick(now: number): void {
    if (!this.#watches.some((one) => one.isUneasy(now))) return
    this.disturb(now)
    if (now < this.#warnAt) return
    this.#warnAt = now + warnBeats * this.#ground.timing.beatMs
    const { outbox, roster } = this.#ground
    outbox.send(roster.liveEndpoints, { kind: 'reports', reports: [] })
  }
}
