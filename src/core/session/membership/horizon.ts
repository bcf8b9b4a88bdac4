// Which incarnations may a node of ours have had? None that was started long after now: whoever
// objects to such a one would end up with a number that nobody can read.
import type { Ground } from './ground.ts'
import { firstIncarnation } from './life.ts'

/** Clocks that differ by more than this are not kept at all. */
const aheadMs = 24 * 3600 * 1000
/** One of the others alone could have made its number up. */
const fewestOthers = 2

export class Horizon {
  readonly #ground: Ground
  /** What the wall clock is ahead of ours, which only counts on. */
  readonly #offsetMs: number
  #refused = 0

  constructor(ground: Ground, { bornMs, now }: { readonly bornMs: number; readonly now: number }) {
    this.#ground = ground
    this.#offsetMs = bornMs - now
  }

  /** How many numbers lay beyond it. */
  get refused(): number {
    return this.#refused
  }

  isBeyond(now: number, incarnation: number): boolean {
    const isBeyond = this.#isAhead(now, incarnation)
    if (isBeyond) this.#refused++
    return isBeyond
  }

  /** No process of the future was before this one: the clock was wrong, and is right now. */
  isBack(now: number, known: number, said: number): boolean {
    return said < known && this.#isAhead(now, known) && !this.#isAhead(now, said)
  }

  #isAhead(now: number, incarnation: number): boolean {
    const latest = Math.max(firstIncarnation(now + this.#offsetMs), this.#ofMost())
    return incarnation > latest + firstIncarnation(aheadMs)
  }

  /** When half of the others had been started: our own clock may have lost its battery. */
  #ofMost(): number {
    const others = [...this.#ground.roster.peers].filter(({ state }) => state === 'alive')
    if (others.length < fewestOthers) return 0
    const lives = others.map(({ facts }) => facts.incarnation).sort((one, other) => one - other)
    return lives[Math.floor((lives.length - 1) / 2)] ?? 0
  }
}
