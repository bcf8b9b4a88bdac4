// Is this file ours, and whole? Then it is opened, for this process alone.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '../../kube/api/fault.ts'
import { restoreRemedy } from './storeFault.ts'

/** `Brth`, by which `file` and the tools of SQLite tell it from others. */
const applicationId = 0x42727468
/** Counted up when a version that does not know the change could not read it. */
const format = 1

/** `tags` is JSON: labels, fields, owners. `crc` is of the whole row; that of the state is the
 * exclusive or over all rows, so that one that is missing, old or there twice is found. */
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

/** The file is never opened through node:fs while SQLite has it open: closing such a descriptor
 * would end the lock of this process. */
export function openFile(file: string, called: string): DatabaseSync {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) create(file)
  if (statSync(file).size === 0) throw new Fault(`${called}: it is empty. ${restoreRemedy}`)
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file)
  try {
    lock(db)
    removeLeftovers(file)
    check(db, called)
    // No other connection reads, so that every checkpoint goes through and the log starts over: it
    // stays near 4 MB (SQLite's 1,000 pages) under any load. One large batch may make it grow.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864')
    db.exec('PRAGMA synchronous = FULL')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The lock is the kernel's: it ends with the process, however that ends. */
function lock(db: DatabaseSync): void {
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
}

/** `quick_check` finds pages that are torn, out of order or used twice; rows are checked one by one
 * when they are read. It is a sixth of the time to open: 0.1 s for 100,000 objects of 1 KB. */
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

/** Under another name until it is whole: whoever finds an empty file knows that it was not us. */
function create(file: string): void {
  if (existsSync(`${file}-wal`)) {
    throw new Fault(`${file}: it is missing, but its log is there. ${restoreRemedy}`)
  }
  const fresh = ownName(file)
  try {
    fill(fresh)
    publish(fresh, file)
  } catch (error) {
    // Of two that start at once the other may have been first, and have swept this one away as
    // left over; then the lock decides.
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

/** Of this process: another one may be doing the same. */
export const ownName = (file: string): string => `${file}.${process.pid}.partial`

/** Of processes that were killed over it; whoever is still at it comes too late. */
function removeLeftovers(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const rest = name.startsWith(`${basename(file)}.`) ? name.slice(basename(file).length) : ''
    if (/^\.\d+\.partial/.test(rest)) rmSync(join(dirname(file), name), { force: true })
  }
}

/** SQLite gives its logs the mode of the file. A link that somebody put there is not followed. */
export function reserve(file: string): void {
  closeSync(openSync(file, 'wx', 0o600))
}

/** Durable under its new name, or still under the old one. */
export function moveTo(from: string, to: string): void {
  sync(from)
  renameSync(from, to)
  sync(dirname(to))
}

/** As moveTo, but never over what is there: answers whether it is the one that is there now. */
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
