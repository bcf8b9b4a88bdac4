// Which keys does a decider have to look at? Those that changes of the World have woken.
import type { World } from '../model/world.ts'
import type { Decider } from './decider.ts'

type Waking = Pick<Decider, 'wakes' | 'reads'>

export class WorkQueue {
  readonly #world: World
  readonly #decider: Waking
  readonly #keys = new Set<string>()

  constructor(world: World, decider: Waking) {
    this.#world = world
    this.#decider = decider
    const { wakes, reads } = decider
    if (typeof wakes === 'string') return
    const kinds = new Set<string>(reads)
    world.listen((changed) => {
      if (!kinds.has(changed.kind)) return
      for (const key of wakes(changed, world)) this.#keys.add(key)
    })
  }

  get size(): number {
    return this.#keys.size + (this.#ranked?.size ?? 0)
  }

  /** The World's own queue for it, if it has one. */
  get #ranked(): World['queue'] | undefined {
    const { wakes } = this.#decider
    if (typeof wakes !== 'string') return undefined
    return wakes === 'queue' ? this.#world.queue : this.#world.nodeQueue
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  add(key: string): void {
    this.#keys.add(key)
  }

  /** In the World's own order, with those that join meanwhile; else all there are now, by name. */
  *take(first: ReadonlySet<string> = new Set()): Generator<string> {
    const queue = this.#ranked
    const keys = [...this.#keys].filter((key) => !first.has(key)).sort()
    this.#keys.clear()
    yield* first
    yield* keys
    if (queue === undefined) return
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) yield key
  }
}
