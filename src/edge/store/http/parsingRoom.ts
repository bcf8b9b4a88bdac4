// How much is parsed at once? A body can take 20 times its length in memory once it is parsed:
// those beyond a limit wait as they came. Users take turns, each in the order in which it sent.

type Waiting = { readonly bytes: number; readonly begin: () => void }

export class ParsingRoom {
  readonly #mostBytes: number
  /** By user, in the order of their turns. */
  readonly #lines = new Map<string, Waiting[]>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Resolves once there is room for it, until `leave`. */
  enter(user: string, bytes: number): Promise<void> {
    return new Promise((begin) => {
      const line = this.#lines.get(user) ?? []
      line.push({ bytes, begin })
      this.#lines.set(user, line)
      this.#beginNext()
    })
  }

  leave(bytes: number): void {
    this.#bytes -= bytes
    this.#beginNext()
  }

  #beginNext(): void {
    for (const [user, line] of this.#lines) {
      const [next] = line
      if (next === undefined || !this.#hasRoom(next)) return
      line.shift()
      this.#lines.delete(user)
      if (line.length > 0) this.#lines.set(user, line)
      this.#bytes += next.bytes
      next.begin()
    }
  }

  /** One alone always has. */
  #hasRoom({ bytes }: Waiting): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#mostBytes
  }
}
