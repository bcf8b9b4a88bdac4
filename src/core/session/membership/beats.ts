// To whom do we beat, and when? To our watchers, and a while longer to those that were.
import type { Endpoint } from '../../wire/gossip/message.ts'
import type { Ground } from './ground.ts'
import { watchersOf } from './ring.ts'

/** Watchers are known to all only when all have the same list: longer than that takes. */
const lingerMs = 1500

export class Beats {
  readonly #ground: Ground
  readonly #until = new Map<string, number>()
  #endpoints: readonly Endpoint[] = []
  #revision = -1
  #staleAt = Number.POSITIVE_INFINITY
  #dueAt: number
  #sequence = 0
  #hurried = 0

  constructor(ground: Ground, now: number) {
    this.#ground = ground
    this.#dueAt = now
  }

  get dueAt(): number {
    return this.#dueAt
  }

  /** The nodes that are beaten to. */
  get targets(): Iterable<string> {
    return this.#until.keys()
  }

  tick(now: number): void {
    if (now < this.#dueAt) return
    this.rest(now)
    this.refresh(now)
    this.#sequence++
    this.#ground.outbox.send(this.#endpoints, {
      kind: 'beat',
      sequence: this.#sequence,
      link: undefined,
    })
  }

  /** The next beat without this one. */
  rest(now: number): void {
    const { beatMs } = this.#ground.timing
    if (now < this.#dueAt) return
    const isHurried = this.#hurried > 0
    if (isHurried) this.#hurried--
    this.#dueAt = isHurried ? now + beatMs / 4 : Math.max(this.#dueAt + beatMs, now + beatMs / 2)
  }

  /** We slept: the next ones come fast, since one alone may get lost and time is short. */
  hurry(): void {
    this.#hurried = 2
  }

  refresh(now: number): void {
    const { roster } = this.#ground
    if (this.#revision === roster.revision && now < this.#staleAt) return
    this.#revision = roster.revision
    const watchers = new Set(watchersOf(roster.ring, roster.own.node))
    for (const node of watchers) this.#until.set(node, Number.POSITIVE_INFINITY)
    for (const [node, until] of this.#until) {
      const isGone = roster.get(node)?.state !== 'alive'
      if (isGone || until <= now) this.#until.delete(node)
      else if (!watchers.has(node)) this.#until.set(node, Math.min(until, now + lingerMs))
    }
    this.#staleAt = Math.min(...this.#until.values())
    this.#endpoints = [...this.#until.keys()].flatMap(
      (node) => roster.get(node)?.facts.endpoint ?? [],
    )
  }
}
