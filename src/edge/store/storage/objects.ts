// What does the API keep? Objects in memory and on disk, one revision for all, and who is told.
import { Bug } from '../../../core/model/bug.ts'
import { Fault } from '../../kube/api/fault.ts'
import { type BackupOptions, backUp } from './backup.ts'
import { Batch } from './batch.ts'
import { CommitQueue } from './commitQueue.ts'
import { Database } from './database.ts'
import { fileIn } from './databaseFile.ts'
import { History, type HistoryBounds } from './history.ts'
import { Memory } from './memory.ts'
import { type Page, pageOf, type Query, undo } from './page.ts'
import type { Stored } from './stored.ts'
import { type Sink, Watchers } from './watchers.ts'

export type ObjectsOptions = {
  /** How far back a watch or the next page may begin; whichever bound is met first. */
  readonly history?: HistoryBounds
  /** The file does not grow beyond; unset: as far as its disk has room. */
  readonly maxBytes?: number
  /** A sink threw this and was dropped. */
  readonly onDropped?: (error: unknown) => void
}

/** The store as the one who writes sees it: with what those before it in the batch wrote. */
export type Transaction = {
  /** The revision that the next put or remove has to carry. */
  readonly next: number
  readonly get: (resource: string, namespace: string, name: string) => Stored | undefined
  readonly list: (query: Omit<Query, 'at'>) => Page
  readonly ownedBy: (uid: string) => readonly Stored[]
  readonly put: (stored: Stored) => void
  /** The last state, under the revision of the deletion. */
  readonly remove: (stored: Stored) => void
}

const usualHistory: HistoryBounds = { changes: 10_000, bytes: 64 * 1024 * 1024 }

export class Objects {
  readonly #memory = new Memory()
  readonly #database: Database
  readonly #batch: Batch
  readonly #history: History
  readonly #watchers: Watchers
  readonly #queue: CommitQueue<Transaction>
  #isDeciding = false
  #isClosed = false
  #lastBackup: Promise<unknown> = Promise.resolve()

  /** Throws a Fault that says what is wrong with the folder and what to do about it. */
  static open(folder: string, options: ObjectsOptions = {}): Objects {
    const database = Database.open(fileIn(folder), { maxBytes: options.maxBytes })
    try {
      return new Objects(database, options)
    } catch (error) {
      database.close()
      throw error
    }
  }

  private constructor(database: Database, { history, onDropped }: ObjectsOptions) {
    this.#database = database
    database.load((stored) => this.#memory.fill(stored))
    const double = this.#memory.finish()
    if (double !== undefined) throw database.damaged(`${double.name} is there twice`)
    this.#batch = new Batch(this.#memory, database.revision)
    this.#history = new History(database.revision, history ?? usualHistory)
    this.#watchers = new Watchers(onDropped ?? (() => undefined))
    this.#queue = new CommitQueue({
      tx: this.#transaction(),
      size: () => this.#batch.changes.length,
      undoTo: (size) => this.#batch.undoTo(size),
      commit: () => this.#database.commit(this.#batch.changes),
      publish: () => this.#publish(),
    })
  }

  get revision(): number {
    return this.#batch.revision
  }

  /** A watch may begin here, and a list be of this moment; what was before is forgotten. */
  get oldest(): number {
    return this.#history.oldest
  }

  get(resource: string, namespace: string, name: string): Stored | undefined {
    return this.#memory.find(resource, { namespace, name })
  }

  ownedBy(uid: string): readonly Stored[] {
    return this.#memory.ownedBy(uid)
  }

  list(query: Query): Page | 'expired' | 'future' {
    const { at = this.revision } = query
    if (at > this.revision) return 'future'
    if (at < this.oldest) return 'expired'
    return this.#listAt(at, query)
  }

  /** What happened after `from`, then what happens, without a gap; the answer ends it. */
  watch(resource: string, from: number, sink: Sink): (() => void) | 'expired' | 'future' {
    if (from > this.revision) return 'future'
    if (from < this.oldest) return 'expired'
    return this.#watchers.add(resource, { from, past: this.#history.since(from), sink })
  }

  /** Resolves when durable, with what `decide` answered. `decide` runs later, and to its end at
   * once; when it throws, what it wrote is undone. */
  write<T>(decide: (tx: Transaction) => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Fault('the store is closed'))
    return this.#queue.add((tx) => {
      this.#isDeciding = true
      try {
        return decide(tx)
      } finally {
        this.#isDeciding = false
      }
    })
  }

  /** One after the other; writes go on meanwhile. */
  backup(file: string, options?: BackupOptions): Promise<void> {
    const made = this.#lastBackup.then(() => backUp(this.#database.connection, file, options))
    this.#lastBackup = made.catch(() => undefined)
    return made
  }

  /** What waits is written first. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#queue.finish()
    this.#database.close()
  }

  #listAt(at: number, query: Query): Page {
    const since = at === this.revision ? [] : [...this.#history.since(at), ...this.#batch.changes]
    const shelf = this.#memory.shelf(query.resource)
    return { ...pageOf(shelf, query, undo(since, query.resource)), revision: at }
  }

  #transaction(): Transaction {
    const batch = this.#batch
    return {
      get next() {
        return batch.revision + 1
      },
      get: (resource, namespace, name) => this.get(resource, namespace, name),
      list: (query) => this.#listAt(this.revision, query),
      ownedBy: (uid) => this.ownedBy(uid),
      put: (stored) => this.#deciding().put(stored),
      remove: (stored) => this.#deciding().remove(stored),
    }
  }

  /** A write after `decide` has returned would be in the batch of somebody else. */
  #deciding(): Batch {
    if (!this.#isDeciding) throw new Bug('a transaction ends with its decision')
    return this.#batch
  }

  #publish(): void {
    const changes = this.#batch.end()
    for (const change of changes) this.#history.add(change)
    this.#watchers.publish(changes)
  }
}
