// What was written since the last commit? It is already in memory and can be undone.
import { Bug } from '../../../core/model/bug.ts'
import type { Memory } from './memory.ts'
import type { Change, Stored } from './stored.ts'

export class Batch {
  readonly #memory: Memory
  #changes: Change[] = []
  #revision: number

  constructor(memory: Memory, revision: number) {
    this.#memory = memory
    this.#revision = revision
  }

  /** The revision of the last change, committed or not. */
  get revision(): number {
    return this.#revision
  }

  get changes(): readonly Change[] {
    return this.#changes
  }

  put(given: Stored): void {
    this.#expect(given)
    const { stored, before } = this.#memory.place(given)
    this.#add({ type: before === undefined ? 'ADDED' : 'MODIFIED', stored, before })
  }

  remove(stored: Stored): void {
    this.#expect(stored)
    const before = this.#memory.drop(stored.resource, stored)
    if (before === undefined) throw new Bug(`${stored.resource} ${stored.name} is not there`)
    this.#add({ type: 'DELETED', stored, before })
  }

  undoTo(size: number): void {
    for (const { stored, before } of this.#changes.splice(size).reverse()) {
      if (before === undefined) this.#memory.drop(stored.resource, stored)
      else this.#memory.place(before)
      this.#revision--
    }
  }

  /** Called after the commit; starts the next batch. */
  end(): readonly Change[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  #expect({ revision }: Stored): void {
    if (revision !== this.#revision + 1) throw new Bug(`revision ${revision} is not the next`)
  }

  #add(change: Omit<Change, 'revision'>): void {
    this.#revision++
    this.#changes.push({ ...change, revision: this.#revision })
  }
}
