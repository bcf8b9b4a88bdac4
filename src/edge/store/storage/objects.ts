// What does the API store? Objects in memory and on disk with one revision, and watches on them.
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
import { Spare } from './spare.ts'
import type { Change, Stored } from './stored.ts'
import { DiskFull, noGrowth } from './storeFault.ts'
import { type Sink, Watchers } from './watchers.ts'

export type ObjectsOptions = {
  /** How far back a watch or the next page can start; the first limit that is reached counts. */
  readonly history?: HistoryBounds
  /** The largest size of the file; by default, as much as the disk holds. */
  readonly maxBytes?: number
  /** False where nobody reads the file after this process: no write waits for the disk. */
  readonly isDurable?: boolean
  /** Whether space is kept for deletions on a full disk. */
  readonly hasSpare?: boolean
  /** Called with the error of a sink, which is then dropped. */
  readonly onDropped?: (error: unknown) => void
}

/** The store as a writer sees it, with the earlier writes of the batch. */
export type Transaction = {
  /** The revision that the next put or remove has to carry. */
  readonly next: number
  readonly get: (resource: string, namespace: string, name: string) => Stored | undefined
  readonly list: (query: Omit<Query, 'at'>) => Page
  readonly ownedBy: (uid: string) => readonly Stored[]
  /** What its objects take together. */
  readonly bytesIn: (namespace: string) => number
  readonly put: (stored: Stored) => void
  /** Takes the last state, with the revision of the deletion. */
  readonly remove: (stored: Stored) => void
}

/** More than a deletion that waits for finalizers adds, or a Lease that is renewed. */
const slightBytes = 256

const usualHistory: HistoryBounds = { changes: 10_000, bytes: 64 * 1024 * 1024 }

export class Objects {
  readonly #memory = new Memory()
  readonly #database: Database
  readonly #batch: Batch
  readonly #history: History
  readonly #watchers: Watchers
  readonly #queue: CommitQueue<Transaction>
  readonly #file: string
  readonly #spare: Spare | undefined
  #isFailing = false
  #isDeciding = false
  #isClosed = false
  #lastBackup: Promise<unknown> = Promise.resolve()

  /** Throws a Fault that says what is wrong with the folder and how to fix it. */
  static open(folder: string, options: ObjectsOptions = {}): Objects {
    const file = fileIn(folder)
    const { maxBytes, isDurable } = options
    const database = Database.open(file, { maxBytes, isDurable })
    try {
      return new Objects(database, file, options)
    } catch (error) {
      database.close()
      throw error
    }
  }

  private constructor(database: Database, file: string, options: ObjectsOptions) {
    const { history, onDropped, hasSpare = false } = options
    this.#database = database
    this.#file = file
    this.#spare = hasSpare ? new Spare(file, database.revision > 0) : undefined
    database.load((stored) => this.#memory.fill(stored))
    const double = this.#memory.finish()
    if (double !== undefined) throw database.damaged(`${double.name} is stored twice`)
    this.#batch = new Batch(this.#memory, database.revision)
    this.#history = new History(database.revision, history ?? usualHistory)
    this.#watchers = new Watchers(onDropped ?? (() => undefined))
    this.#queue = new CommitQueue({
      tx: this.#transaction(),
      size: () => this.#batch.changes.length,
      undoTo: (size) => this.#batch.undoTo(size),
      commit: () => this.#commit(),
      publish: () => this.#publish(),
    })
  }

  get revision(): number {
    return this.#batch.revision
  }

  /** Why writes fail at the moment; undefined while they do not. Anybody may know. */
  get problem(): string | undefined {
    if (this.#spare?.isLow === true) return 'no space is left, only deletions work'
    return this.#isFailing ? 'the last write failed' : undefined
  }

  /** The oldest revision that a watch can start from or a list can show. */
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

  /** Passes all changes after `from` to the sink, without a gap; returns how to stop it. */
  watch(resource: string, from: number, sink: Sink): (() => void) | 'expired' | 'future' {
    if (from > this.revision) return 'future'
    if (from < this.oldest) return 'expired'
    return this.#watchers.add(resource, { from, past: this.#history.since(from), sink })
  }

  /** Resolves with the result of `decide` once it is durable. `decide` runs later, in one go; if
   * it throws, its writes are undone. Users take turns. */
  write<T>(decide: (tx: Transaction) => T, user?: string): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Fault('the store is closed'))
    return this.#queue.add((tx) => {
      this.#isDeciding = true
      try {
        return decide(tx)
      } finally {
        this.#isDeciding = false
      }
    }, user)
  }

  /** Backups run one after the other, while writes continue. */
  backup(file: string, options?: BackupOptions): Promise<void> {
    const made = this.#lastBackup.then(() => backUp(this.#database.connection, file, options))
    this.#lastBackup = made.catch(() => undefined)
    return made
  }

  /** Runs waiting writes first. */
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
      bytesIn: (namespace) => this.#memory.bytesIn(namespace),
      put: (stored) => {
        if (this.#spare?.isLow === true && grows(stored, this.#before(stored))) {
          throw noGrowth(this.#file)
        }
        this.#deciding().put(stored)
      },
      remove: (stored) => this.#deciding().remove(stored),
    }
  }

  /** A write after `decide` has returned would end up in another batch. */
  #deciding(): Batch {
    if (!this.#isDeciding) throw new Bug('a transaction ends with its decision')
    return this.#batch
  }

  #before({ resource, namespace, name }: Stored): Stored | undefined {
    return this.get(resource, namespace, name)
  }

  /** On a full disk once more, with the space that was kept or is in the log, if nothing grows. */
  #commit(): void {
    const { changes } = this.#batch
    try {
      this.#database.commit(changes)
      this.#isFailing = false
    } catch (error) {
      if (!(error instanceof DiskFull)) this.#isFailing = true
      else if (this.#spare !== undefined) {
        this.#spare.giveUp()
        this.#database.restartLog()
        if (!changes.some(isGrowth)) {
          this.#database.commit(changes)
          return
        }
      }
      throw error
    }
  }

  #publish(): void {
    const changes = this.#batch.end()
    for (const change of changes) this.#history.add(change)
    this.#watchers.publish(changes)
  }
}

const grows = ({ bytes }: Stored, before: Stored | undefined): boolean =>
  bytes.length > (before?.bytes.length ?? -slightBytes) + slightBytes

const isGrowth = ({ type, stored, before }: Change): boolean =>
  type !== 'DELETED' && grows(stored, before)
