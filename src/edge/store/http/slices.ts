// How is much work done for clients without holding up others? In slices: one in each round of the
// event loop, of whoever waits, and users alternate.
import { ParsingRoom } from './parsingRoom.ts'

/** Of stored objects that are parsed in one: about 20 ms. A larger one has a slice of its own. */
export const sliceBytes = 512 * 1024

export class Slices {
  readonly #room = new ParsingRoom(1)

  async run<T>(user: string, work: () => T): Promise<T> {
    await this.#room.enter(user, 1)
    try {
      return work()
    } finally {
      setImmediate(() => this.#room.leave(1))
    }
  }
}

export type SlicesOfUser = { readonly of: Slices; readonly user: string }
