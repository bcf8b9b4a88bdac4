// Who is told of changes? Each watcher of the resource, once for each change, in order.
import type { Change } from './stored.ts'

export type Sink = (change: Change) => void

type Watcher = { readonly sink: Sink; seen: number }

export class Watchers {
  readonly #byResource = new Map<string, Set<Watcher>>()
  readonly #onDropped: (error: unknown) => void

  /** A sink that throws is removed; others are not affected. */
  constructor(onDropped: (error: unknown) => void) {
    this.#onDropped = onDropped
  }

  /** `past` has the changes after `from`; returns how to stop the watch. */
  add(resource: string, watch: { from: number; past: Iterable<Change>; sink: Sink }): () => void {
    const watcher: Watcher = { sink: watch.sink, seen: watch.from }
    const watchers = this.#byResource.get(resource) ?? new Set()
    this.#byResource.set(resource, watchers.add(watcher))
    for (const change of watch.past) {
      if (change.stored.resource === resource) this.#tell(watcher, change)
    }
    return () => this.#remove(resource, watcher)
  }

  publish(changes: readonly Change[]): void {
    for (const change of changes) {
      const watchers = this.#byResource.get(change.stored.resource) ?? []
      for (const watcher of watchers) this.#tell(watcher, change)
    }
  }

  /** A watch that a sink starts during publishing has already seen these changes in its past. */
  #tell(watcher: Watcher, change: Change): void {
    if (change.revision <= watcher.seen) return
    watcher.seen = change.revision
    try {
      watcher.sink(change)
    } catch (error) {
      this.#remove(change.stored.resource, watcher)
      this.#onDropped(error)
    }
  }

  #remove(resource: string, watcher: Watcher): void {
    watcher.seen = Number.POSITIVE_INFINITY
    const watchers = this.#byResource.get(resource)
    watchers?.delete(watcher)
    if (watchers?.size === 0) this.#byResource.delete(resource)
  }
}
