// How is much work done for clients without holding up others? In slices: one in each round of the
// event loop, of whoever waits, and users alternate.
import { ParsingRoom } from './parsingRoom.ts'

/** Of stored objects that are parsed in one: about 20 ms. A larger one has a slice of its own. */
export const sliceBytes = 512 * 1024

export class Slices {
  readonly #room = new ParsingRoom(1)
  /** The end of the last list of each user. */
  readonly #lists = new Map<string, Promise<void>>()

  async run<T>(user: string, work: () => T): Promise<T> {
    await this.#room.enter(user, 1)
    try {
      return work()
    } finally {
      setImmediate(() => this.#room.leave(1))
    }
  }

  /** Of a user one after the other: what is made of a list is held until all of it is. */
  async runList<T>(user: string, work: () => Promise<T>): Promise<T> {
    const made = (this.#lists.get(user) ?? Promise.resolve()).then(work)
    const over = made.then(nothing, nothing)
    this.#lists.set(user, over)
    try {
      return await made
    } finally {
      if (this.#lists.get(user) === over) this.#lists.delete(user)
    }
  }
}

const nothing = (): void => undefined

export type SlicesOfUser = {
  readonly of: Slices
  readonly user: string
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean
}
