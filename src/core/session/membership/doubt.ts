// Do the others hear us? Who is told again and again that it is silent, though it objects, hears
// them and is not heard: whatever they believe of it, they move its addresses. So it gives them up
// itself, and stays, as nobody's first choice, until it has been left alone for a while.
import type { Ground } from './ground.ts'
import { watchersOf } from './ring.ts'

type Teller = { count: number; at: number }

/** What one says within so many beats is one time: an objection takes a moment. */
const onceBeats = 10
const leastTimes = 3
/** Longer than a watcher waits that was refuted before (watch.ts). */
const calmMs = 75_000

export class Doubt {
  readonly #ground: Ground
  readonly #tellers = new Map<string, Teller>()

  constructor(ground: Ground) {
    this.#ground = ground
  }

  /** That we are silent, or dead. */
  told(now: number, by: string): void {
    const teller = this.#tellers.get(by) ?? { count: 0, at: Number.NEGATIVE_INFINITY }
    this.#tellers.set(by, teller)
    if (now - teller.at < onceBeats * this.#ground.timing.beatMs) return
    teller.count++
    teller.at = now
  }

  /** One that is dead for us speaks: it does not hear that, or it would object. */
  heardDead(now: number, node: string): void {
    const teller = this.#tellers.get(node)
    if (teller !== undefined && teller.count >= leastTimes) teller.at = now
  }

  /** Of those that watch us, as far as they live for us, more tell so than do not. */
  isUnheard(now: number): boolean {
    if (this.#tellers.size === 0) return false
    const { roster } = this.#ground
    for (const [node, { at }] of this.#tellers) {
      if (now - at > calmMs || roster.get(node) === undefined) this.#tellers.delete(node)
    }
    const insists = (node: string) => (this.#tellers.get(node)?.count ?? 0) >= leastTimes
    const tellers = [...this.#tellers.keys()].filter(insists).length
    const others = watchersOf(roster.ring, roster.own.node).filter((node) => !insists(node))
    return tellers > others.length
  }

  /** Nobody else could own anything: then all are told so, and it says nothing of us. */
  forget(): void {
    this.#tellers.clear()
  }
}
