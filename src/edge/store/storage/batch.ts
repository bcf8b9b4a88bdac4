// What was written since the last commit? It is in memory already, and can be taken back.
import { Bug } from '../../../core/model/bug.ts'
import { Arena } from './arena.ts'
import type { Memory } from './memory.ts'
import { Kept } from './shelf.ts'
import type { Change, Stored } from './stored.ts'

export class Batch {
  readonly #memory: Memory
  /** The history is forgotten in the order in which it happened, and so are the blocks of this. */
  readonly #past = new Arena<Kept>()
  #changes: Change[] = []
  #revision: number

  constructor(memory: Memory, revision: number) {
    this.#memory = memory
    this.#revision = revision
  }

  /** Of the last change, also while it is not committed. */
  get revision(): number {
    return this.#revision
  }

  get changes(): readonly Change[] {
    return this.#changes
  }

  put(stored: Stored): void {
    const before = this.#before(stored)
    const type = before === undefined ? 'ADDED' : 'MODIFIED'
    this.#add({ type, stored: this.#memory.place(stored), before })
  }

  remove(stored: Stored): void {
    const before = this.#before(stored)
    if (before === undefined) throw new Bug(`${stored.resource} ${stored.name} is not there`)
    this.#memory.drop(stored.resource, stored)
    this.#add({ type: 'DELETED', stored: this.#forHistory(stored), before })
  }

  undoTo(size: number): void {
    for (const { stored, before } of this.#changes.splice(size).reverse()) {
      if (before === undefined) this.#memory.drop(stored.resource, stored)
      else this.#memory.place(before)
      this.#revision--
    }
  }

  /** They are committed: the next batch begins. */
  end(): readonly Change[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  #before({ resource, namespace, name, revision }: Stored): Stored | undefined {
    if (revision !== this.#revision + 1) throw new Bug(`revision ${revision} is not the next`)
    const before = this.#memory.find(resource, { namespace, name })
    return before && this.#forHistory(before)
  }

  #add(change: Omit<Change, 'revision'>): void {
    this.#revision++
    this.#changes.push({ ...change, revision: this.#revision })
  }

  /** A view would keep the whole buffer that it is of. */
  #forHistory(stored: Stored): Stored {
    const { labels, fields, owners } = stored
    const past = new Kept(stored, { labels, fields, owners })
    this.#past.hold(past, stored.bytes)
    return past
  }
}
