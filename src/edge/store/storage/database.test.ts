// What is refused, and in which words: every way in which a file can be wrong.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { stored } from '../../../../test/build/storedObjects.ts'
import { Fault } from '../../kube/api/fault.ts'
import { Database } from './database.ts'
import { ownName } from './databaseFile.ts'
import { Objects } from './objects.ts'
import { InUse } from './storeFault.ts'

const fileIn = (folder: string) => join(folder, 'berth.db')

/** A hundred objects, closed. */
async function filledFolder(): Promise<string> {
  const folder = newFolder()
  const objects = Objects.open(folder)
  const put = (index: number) =>
    objects.write((tx) => {
      const bytes = Buffer.from(`content of ${index}`.padEnd(900, '.'))
      tx.put(stored(tx.next, `a/object-${index}`, { bytes, labels: { app: 'web' } }))
    })
  await Promise.all(Array.from({ length: 100 }, (_, index) => put(index)))
  objects.close()
  return folder
}

function sql(file: string, text: string): void {
  const db = new DatabaseSync(file)
  db.exec(text)
  db.close()
}

/** Wherever it is: pages also hold what was there before. */
function overwrite(file: string, from: string, to: string): void {
  const before = readFileSync(file, 'latin1')
  const after = before.replaceAll(from, to)
  expect(after).not.toBe(before)
  writeFileSync(file, after, 'latin1')
}

const half = (file: string) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)

const restoring = 'berth up --restore FILE'
type Case = { title: string; harm: (file: string) => void; why: string; remedy?: string }
const cases: Case[] = [
  { title: 'cut in half', harm: half, why: 'it is damaged' },
  { title: 'cut within a page', harm: (file) => truncateSync(file, 5000), why: 'it is damaged' },
  { title: 'empty', harm: (file) => truncateSync(file), why: 'it is empty' },
  {
    title: 'of another program',
    harm: (file) => sql(file, 'PRAGMA application_id = 7'),
    why: 'it is not a file of Berth',
  },
  {
    title: 'no database',
    harm: (file) => writeFileSync(file, 'hello '.repeat(1000)),
    why: 'it is not a file of Berth (file is not a database)',
  },
  {
    title: 'of a newer format',
    harm: (file) => sql(file, 'PRAGMA user_version = 99'),
    why: 'it has format 99, this version reads up to 1',
    remedy: 'Use the newer version that wrote it.',
  },
  {
    title: 'with other bytes in an object',
    harm: (file) => overwrite(file, 'content of 42', 'content of 43'),
    why: 'it is damaged (revision 43 was changed)',
  },
  {
    title: 'with another name',
    harm: (file) => overwrite(file, 'object-77', 'object-78'),
    why: 'it is damaged (revision 78 was changed)',
  },
  {
    title: 'with other labels',
    harm: (file) => overwrite(file, '{"app":"web"}', '{"app":"wet"}'),
    why: 'it is damaged (revision 1 was changed)',
  },
  {
    title: 'without one object',
    harm: (file) => sql(file, 'DELETE FROM objects WHERE revision = 7'),
    why: 'it is damaged (objects are missing or duplicated)',
  },
  {
    title: 'with an object of an earlier time',
    harm: (file) => sql(file, 'UPDATE state SET crc = crc + 1'),
    why: 'it is damaged (objects are missing or duplicated)',
  },
  {
    title: 'without its revision',
    harm: (file) => sql(file, 'DELETE FROM state'),
    why: 'it is damaged (objects are missing or duplicated)',
  },
  {
    title: 'without a table',
    harm: (file) => sql(file, 'DROP TABLE state'),
    why: 'it is damaged (no such table: state)',
  },
  {
    title: 'with a page that is in use and free at once',
    harm: (file) => {
      const bytes = readFileSync(file)
      bytes.writeUInt32BE(2, 32)
      bytes.writeUInt32BE(1, 36)
      writeFileSync(file, bytes)
    },
    why: 'it is damaged (',
  },
  {
    title: 'with its root page overwritten',
    harm: (file) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xff, 4096, 8192))
    },
    why: 'it is damaged',
  },
  {
    title: 'gone, with its log still there',
    harm: (file) => {
      rmSync(file)
      writeFileSync(`${file}-wal`, 'log')
    },
    why: 'it is missing, but its log exists',
  },
]

test.each(cases)('a file $title is refused: $why', async ({ harm, why, remedy = restoring }) => {
  const folder = await filledFolder()
  harm(fileIn(folder))
  const open = () => Objects.open(folder)
  expect(open).toThrow(Fault)
  expect(open).toThrow(`${fileIn(folder)}: `)
  expect(open).toThrow(why)
  expect(open).toThrow(remedy)
  expect(open).not.toThrow(InUse)
})

test('one key twice is refused', async () => {
  const folder = await filledFolder()
  const database = Database.open(fileIn(folder))
  const double = stored(101, 'a/object-5')
  database.commit([{ type: 'ADDED', revision: 101, stored: double, before: undefined }])
  database.close()
  expect(() => Objects.open(folder)).toThrow('it is damaged (object-5 is stored twice)')
})

test('an object that is missing on disk fails the commit that would replace it', async () => {
  const folder = await filledFolder()
  const database = Database.open(fileIn(folder))
  const before = stored(500, 'a/object-5')
  const change = { type: 'MODIFIED', revision: 101, stored: stored(101, 'a/x'), before } as const
  expect(() => database.commit([change])).toThrow('it is damaged (revision 500 is missing)')
  database.commit([{ ...change, type: 'ADDED', before: undefined }])
  database.close()
  const again = Objects.open(folder)
  expect(again.revision).toBe(101)
  again.close()
})

test('a commit to what became read-only is refused whole; the next one works', async () => {
  const folder = await filledFolder()
  const database = Database.open(fileIn(folder))
  const change = (revision: number) =>
    ({ type: 'ADDED', revision, stored: stored(revision, 'a/x'), before: undefined }) as const
  database.connection.exec('PRAGMA query_only = ON')
  expect(() => database.commit([change(101)])).toThrow('it cannot be written')
  expect(database.revision).toBe(100)
  database.connection.exec('PRAGMA query_only = OFF')
  database.commit([change(101)])
  database.close()
  const objects = Objects.open(folder)
  expect(objects.revision).toBe(101)
  objects.close()
})

test('folder and files are for this user alone; nothing is left beside the file', async () => {
  const folder = join(newFolder(), 'new', 'data')
  const objects = Objects.open(folder)
  await objects.write((tx) => tx.put(stored(tx.next, 'a/x')))
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect(mode(folder)).toBe('700')
  expect(readdirSync(folder).sort()).toEqual(['berth.db', 'berth.db-wal'])
  for (const file of readdirSync(folder)) expect(mode(join(folder, file))).toBe('600')
  objects.close()
  expect(readdirSync(folder)).toEqual(['berth.db'])
})

test('a file that others could read is theirs no longer; a folder is left as it was', async () => {
  const folder = await filledFolder()
  chmodSync(folder, 0o755)
  chmodSync(fileIn(folder), 0o644)
  Objects.open(folder).close()
  expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o755)
})

test('a first start that was cut short is finished by the next', () => {
  const folder = newFolder()
  writeFileSync(ownName(fileIn(folder)), 'torn')
  const objects = Objects.open(folder)
  expect(objects.revision).toBe(0)
  expect(readdirSync(folder)).toEqual(['berth.db', 'berth.db-wal'])
  objects.close()
})

test('a second one in the same process is refused, and does not end the lock of the first', async () => {
  const folder = await filledFolder()
  const first = Objects.open(folder)
  for (let tries = 0; tries < 2; tries++) {
    expect(() => Objects.open(folder)).toThrow(InUse)
    expect(() => Objects.open(folder)).toThrow('another berth process uses it')
  }
  await first.write((tx) => tx.put(stored(tx.next, 'a/x')))
  first.close()
  Objects.open(folder).close()
})

test('another process holds the folder until it ends, however it ends', async () => {
  const folder = newFolder()
  const program = resolve('test/build/storeWriter.ts')
  const child = spawn(process.execPath, [program, folder, '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(() => Objects.open(folder)).toThrow(InUse)
  child.stdout.resume()
  child.kill('SIGKILL')
  await once(child, 'close')
  Objects.open(folder).close()
})

const isRoot = process.geteuid?.() === 0

/** Root may do everything: for a moment we are nobody. */
function asNobody(act: () => void): void {
  if (isRoot) process.seteuid?.(65534)
  try {
    act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test.each([
  { title: 'a folder that cannot be made', folder: 'sub', mode: 0o500 },
  { title: 'a folder that cannot be written', folder: '', mode: 0o500 },
])('$title is refused', ({ folder, mode }) => {
  const parent = newFolder()
  chmodSync(parent, mode)
  asNobody(() => {
    expect(() => Objects.open(join(parent, folder))).toThrow('it cannot be written')
    expect(() => Objects.open(join(parent, folder))).toThrow(
      'Give this user write access to the file',
    )
  })
  chmodSync(parent, 0o700)
})

test.runIf(isRoot)('a file of another user is refused', async () => {
  const folder = await filledFolder()
  chmodSync(folder, 0o777)
  chmodSync(fileIn(folder), 0o644)
  asNobody(() => expect(() => Objects.open(folder)).toThrow('it cannot be written'))
})

test('a folder where the file should be is refused', () => {
  const folder = newFolder()
  mkdirSync(fileIn(folder))
  expect(() => Objects.open(folder)).toThrow(Fault)
})
