// Is this file one of ours, and undamaged? Then it is opened for this process alone.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { makeFolders } from '../../host/makeFolders.ts'
import { Fault } from '../../kube/api/fault.ts'
import { restoreRemedy } from './storeFault.ts'

/** `Brth`, the application id that `file` and SQLite's tools show. */
const applicationId = 0x42727468
/** Raised by a change that older programs could not read. */
const format = 1

/** `tags` is JSON: labels, fields, owners, deletion. `crc` covers the row; that of the state is the
 * exclusive or over all rows, which finds rows that are missing, outdated or duplicated. */
const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    revision INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    uid TEXT NOT NULL,
    tags TEXT NOT NULL,
    bytes BLOB NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL,
    count INTEGER NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO state VALUES (1, 0, 0, 0);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};`

export const fileIn = (folder: string): string => join(folder, 'berth.db')

/** Never open the file through node:fs while SQLite has it open: closing that descriptor would
 * release the lock of this process. */
export function openFile(file: string, called: string): DatabaseSync {
  const folder = dirname(file)
  makeFolders(folder, 0o700)
  if (!existsSync(file)) create(file)
  if (statSync(file).size === 0) throw new Fault(`${called}: it is empty. ${restoreRemedy}`)
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file)
  try {
    lock(db)
    removeLeftovers(file)
    check(db, called)
    // There is no other connection, so every checkpoint completes and the log starts over. It stays
    // near 4 MB (SQLite's 1,000 pages) under any load, and grows only for one large batch.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864')
    db.exec('PRAGMA synchronous = FULL')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The kernel holds the lock and releases it when the process ends, in any way. */
function lock(db: DatabaseSync): void {
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
}

/** `quick_check` finds torn, unordered and doubly used pages; rows are checked when they are read.
 * It takes a sixth of the time to open: 0.1 s for 100,000 objects of 1 KB. */
function check(db: DatabaseSync, called: string): void {
  if (pragma(db, 'application_id') !== applicationId) {
    throw new Fault(`${called}: it is not a file of Berth. ${restoreRemedy}`)
  }
  const version = Number(pragma(db, 'user_version'))
  if (version > format) {
    const why = `it has format ${version}, this version reads up to ${format}`
    throw new Fault(`${called}: ${why}. Use the newer version that wrote it. ${restoreRemedy}`)
  }
  const found = String(pragma(db, 'quick_check(1)')).replace(/^\*{3}.*\*{3}\s*/, '')
  if (found !== 'ok') throw new Fault(`${called}: it is damaged (${found}). ${restoreRemedy}`)
}

function pragma(db: DatabaseSync, text: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${text}`).get() ?? {})[0]
}

/** Created under another name until it is complete, so an empty file is never one of ours. */
function create(file: string): void {
  if (existsSync(`${file}-wal`)) {
    throw new Fault(`${file}: it is missing, but its log exists. ${restoreRemedy}`)
  }
  const fresh = ownName(file)
  try {
    fill(fresh)
    publish(fresh, file)
  } catch (error) {
    // Of two processes that start at once, the other may have removed this file as a leftover; the
    // lock then decides.
    if (!existsSync(file)) throw error
  }
}

function fill(fresh: string): void {
  removeFile(fresh)
  reserve(fresh)
  const db = new DatabaseSync(fresh)
  try {
    db.exec(`BEGIN EXCLUSIVE; ${schema}; COMMIT`)
  } finally {
    db.close()
  }
}

/** Contains the process id, because another process may do the same. */
export const ownName = (file: string): string => `${file}.${process.pid}.partial`

/** Removes files of processes that were killed; one that is still running comes too late. */
function removeLeftovers(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const rest = name.startsWith(`${basename(file)}.`) ? name.slice(basename(file).length) : ''
    if (/^\.\d+\.partial/.test(rest)) rmSync(join(dirname(file), name), { force: true })
  }
}

/** SQLite creates its logs with the mode of the file. A link at that path is not followed. */
export function reserve(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}

/** Atomic: the file is durable under its new name, or still has the old one. */
export function moveTo(from: string, to: string): void {
  sync(from)
  renameSync(from, to)
  sync(dirname(to))
}

/** As moveTo, but never replaces a file; returns whether it was moved. */
export function publish(from: string, to: string): boolean {
  sync(from)
  const isNew = linked(from, to)
  removeFile(from)
  sync(dirname(to))
  return isNew
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function sync(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

export function removeFile(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}
