// Which keys does a decider have to look at? Those that changes of the World have woken.
import type { World } from '../model/world.ts'
import type { Decider } from './decider.ts'

export class WorkQueue {
  readonly #world: World
  readonly #decider: Decider
  readonly #keys = new Set<string>()

  constructor(world: World, decider: Decider) {
    this.#world = world
    this.#decider = decider
    const { wakes, reads } = decider
    if (wakes === 'queue') return
    const kinds = new Set<string>(reads)
    world.listen((changed) => {
      if (!kinds.has(changed.kind)) return
      for (const key of wakes(changed, world)) this.#keys.add(key)
    })
  }

  get size(): number {
    return this.#keys.size + (this.#decider.wakes === 'queue' ? this.#world.queue.size : 0)
  }

  add(key: string): void {
    this.#keys.add(key)
  }

  /** In the World's own order, with those that join meanwhile; else all there are now, by name. */
  *take(): Generator<string> {
    const { queue } = this.#world
    const keys = [...this.#keys].sort()
    this.#keys.clear()
    yield* keys
    if (this.#decider.wakes !== 'queue') return
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) yield key
  }
}
