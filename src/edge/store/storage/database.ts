// What is on disk? A row for each object, and the revision. Commits are atomic.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { Fault } from '../../kube/api/fault.ts'
import { openFile } from './databaseFile.ts'
import { held } from './held.ts'
import type { Change, Stored } from './stored.ts'
import { restoreRemedy, storeFault } from './storeFault.ts'
import { type Tags, tagsText } from './tags.ts'

type DatabaseOptions = {
  /** The name of the file in messages, if it differs. */
  readonly called?: string
  /** The largest size of the file. */
  readonly maxBytes?: number | undefined
  /** Whether a commit waits for the disk. */
  readonly isDurable?: boolean | undefined
}

type Row = Omit<Stored, keyof Tags> & { readonly tags: string }

/** As an array: SQLite's driver makes a hash table of a row with names. */
type Columns = readonly [
  revision: number,
  resource: string,
  namespace: string,
  name: string,
  uid: string,
  tags: string,
  bytes: Uint8Array,
  crc: number,
]

type State = { readonly revision: number; readonly count: number; readonly crc: number }

const pageBytes = 4096

export class Database {
  readonly connection: DatabaseSync
  readonly #called: string
  readonly #begin: StatementSync
  readonly #insert: StatementSync
  readonly #delete: StatementSync
  readonly #update: StatementSync
  readonly #commit: StatementSync
  #state: State

  static open(file: string, options: DatabaseOptions = {}): Database {
    const { called = file, maxBytes, isDurable = true } = options
    let connection: DatabaseSync | undefined
    try {
      connection = openFile(file, called)
      if (!isDurable) connection.exec('PRAGMA synchronous = OFF')
      if (maxBytes !== undefined) {
        connection.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / pageBytes)}`)
      }
      return new Database(connection, called)
    } catch (error) {
      connection?.close()
      throw storeFault(called, error)
    }
  }

  private constructor(connection: DatabaseSync, called: string) {
    this.connection = connection
    this.#called = called
    this.#begin = connection.prepare('BEGIN IMMEDIATE')
    this.#insert = connection.prepare('INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    this.#delete = connection.prepare('DELETE FROM objects WHERE revision = ? RETURNING crc')
    this.#update = connection.prepare('UPDATE state SET revision = ?, count = ?, crc = ?')
    this.#commit = connection.prepare('COMMIT')
    const state = connection.prepare('SELECT revision, count, crc FROM state').get()
    this.#state = {
      revision: Number(state?.['revision']),
      count: Number(state?.['count']),
      crc: Number(state?.['crc']),
    }
  }

  get revision(): number {
    return this.#state.revision
  }

  /** Throws if a row is damaged, missing or duplicated. */
  load(each: (stored: Stored) => void): void {
    let { count, crc } = this.#state
    try {
      const all = this.connection.prepare('SELECT * FROM objects ORDER BY revision')
      all.setReturnArrays(true)
      // The table is strict, so SQLite has checked the types.
      for (const columns of all.iterate() as Iterable<unknown> as Iterable<Columns>) {
        const [revision, resource, namespace, name, uid, tags, bytes, written] = columns
        const row = { revision, resource, namespace, name, uid, tags, bytes }
        if (crcOf(row) !== written) throw this.damaged(`revision ${revision} was changed`)
        count--
        crc ^= written
        each(held(row, tags))
      }
    } catch (error) {
      throw storeFault(this.#called, error)
    }
    if (count !== 0 || crc !== 0) throw this.damaged('objects are missing or duplicated')
  }

  /** Durable when it returns; nothing is changed if it throws. */
  commit(changes: readonly Change[]): void {
    const last = changes.at(-1)
    if (last === undefined) return
    let { count, crc } = this.#state
    try {
      this.#begin.run()
      for (const { type, stored, before } of changes) {
        if (before !== undefined) {
          crc ^= this.#remove(before)
          count--
        }
        if (type !== 'DELETED') {
          crc ^= this.#write(stored)
          count++
        }
      }
      this.#finish({ revision: last.revision, count, crc: crc >>> 0 })
    } catch (error) {
      this.#takeBack()
      throw storeFault(this.#called, error)
    }
  }

  /** Writes the log back and starts it over, so that the space it has can be used again. */
  restartLog(): void {
    try {
      this.connection.exec('PRAGMA wal_checkpoint(RESTART)')
    } catch {
      // Then the next commit fails as the last one did.
    }
  }

  /** Raises the revision to one that no client has seen. */
  advanceTo(revision: number): void {
    this.#begin.run()
    this.#finish({ ...this.#state, revision })
  }

  /** Writes the log back, so that the file is complete by itself. */
  close(): void {
    this.connection.close()
  }

  #finish(state: State): void {
    this.#update.run(state.revision, state.count, state.crc)
    this.#commit.run()
    this.#state = state
  }

  #write(stored: Stored): number {
    const { revision, resource, namespace, name, uid, bytes } = stored
    const tags = tagsText(stored)
    const crc = crcOf({ revision, resource, namespace, name, uid, tags, bytes })
    this.#insert.run(revision, resource, namespace, name, uid, tags, bytes, crc)
    return crc
  }

  #remove({ revision }: Stored): number {
    const removed = this.#delete.get(revision)
    if (removed === undefined) throw this.damaged(`revision ${revision} is missing`)
    return Number(removed['crc'])
  }

  /** Some errors end the transaction by themselves. */
  #takeBack(): void {
    if (this.connection.isTransaction) this.connection.exec('ROLLBACK')
  }

  damaged(why: string): Fault {
    return new Fault(`${this.#called}: it is damaged (${why}). ${restoreRemedy}`)
  }
}

const crcOf = ({ revision, resource, namespace, name, uid, tags, bytes }: Row): number =>
  crc32(`${revision} ${resource} ${namespace} ${name} ${uid} ${tags}`, crc32(bytes))
