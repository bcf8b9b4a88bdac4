// When are multicast groups joined and left? A few at a time: the kernel takes longer the more
// there are, and announcements and answers must not wait for a thousand of them.
import { type Groups, openGroups } from '../../../../edge/host/packet/groups.ts'

type GroupChange = {
  readonly kind: 'join' | 'leave'
  readonly port: number
  readonly group: Uint8Array
}

/** Takes about a millisecond. */
const atOnce = 64

export class GroupQueue {
  readonly #groups: Groups = openGroups()
  readonly #onRefused: (port: number) => void
  #waiting: GroupChange[] = []

  constructor(onRefused: (port: number) => void) {
    this.#onRefused = onRefused
  }

  get hasMore(): boolean {
    return this.#waiting.length > 0
  }

  add(change: GroupChange): void {
    this.#waiting.push(change)
  }

  /** Joins and leaves some of them, in order. */
  take(): void {
    for (const { kind, port, group } of this.#waiting.slice(0, atOnce)) {
      if (kind === 'leave') this.#groups.leave(port, group)
      else if (!this.#groups.join(port, group)) this.#onRefused(port)
    }
    this.#waiting = this.#waiting.slice(atOnce)
  }

  close(): void {
    this.#waiting = []
    this.#groups.close()
  }
}
