// How many watches may there be? Each needs a connection of its own: a limit for each user and for
// all leaves connections for other requests.
import type { Limits } from './limits.ts'
import type { Person } from './person.ts'

export class Watchers {
  readonly #limits: Pick<Limits, 'watches' | 'watchesOfUser'>
  readonly #byUser = new Map<string, number>()
  #all = 0

  constructor(limits: Pick<Limits, 'watches' | 'watchesOfUser'>) {
    this.#limits = limits
  }

  /** Returns what to call at its end; undefined if there are too many. */
  enter({ user, hasCertificate }: Person): (() => void) | undefined {
    const { watches, watchesOfUser } = this.#limits
    const isTooMany = this.#all >= watches || this.#countOf(user) >= watchesOfUser
    // Those of this machine, our controllers among them.
    if (isTooMany && hasCertificate !== true) return undefined
    this.#add(user, 1)
    return () => this.#add(user, -1)
  }

  #countOf(user: string): number {
    return this.#byUser.get(user) ?? 0
  }

  #add(user: string, count: number): void {
    const left = this.#countOf(user) + count
    this.#all += count
    if (left > 0) this.#byUser.set(user, left)
    else this.#byUser.delete(user)
  }
}
