// How is the store copied while it runs, and how does a copy become the store?
import { chmodSync, constants, copyFileSync, existsSync, statSync } from 'node:fs'
import { backup, type DatabaseSync } from 'node:sqlite'
import { makeFolders } from '../../host/makeFolders.ts'
import { Fault } from '../../kube/api/fault.ts'
import { Database } from './database.ts'
import { fileIn, moveTo, ownName, publish, removeFile, reserve } from './databaseFile.ts'
import { InUse, storeFault } from './storeFault.ts'

/** More than can have been written since the backup: a resourceVersion that a client remembers must
 * not be used again for another state. */
const step = 1_000_000

export type BackupOptions = { readonly overwrite?: boolean }

/** A consistent copy; it gets its final name only when it is complete. */
export async function backUp(
  source: DatabaseSync,
  file: string,
  { overwrite = false }: BackupOptions = {},
): Promise<void> {
  if (existsSync(file) && !overwrite) {
    throw new Fault(`${file}: it already exists. Name another file, or use --overwrite.`)
  }
  const partial = ownName(file)
  try {
    if (isSame(file, source.location())) {
      throw new Fault(`${file}: it is the store itself. Name another file.`)
    }
    removeFile(partial)
    reserve(partial)
    await backup(source, partial)
    moveTo(partial, file)
  } catch (error) {
    removeFile(partial)
    throw storeFault(file, error)
  }
}

function isSame(file: string, other: string | null): boolean {
  const [one, two] = [file, other ?? ''].map((path) => statSync(path, { throwIfNoEntry: false }))
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev
}

type RestoreOptions = { readonly replace?: boolean }

/** Keeps the replaced file as `berth.db.replaced`. */
export function restore(
  file: string,
  folder: string,
  { replace = false }: RestoreOptions = {},
): void {
  const target = fileIn(folder)
  const hasData = [target, `${target}-wal`].some((path) => existsSync(path))
  if (hasData && !replace) {
    throw new Fault(`${target}: the folder already has data. Name another one, or use --replace.`)
  }
  if (existsSync(`${file}-wal`)) {
    const why = 'it is the file of a running or crashed berth, not a backup'
    throw new Fault(`${file}: ${why}. Make one with \`berth backup FILE\`.`)
  }
  const partial = ownName(target)
  try {
    const seen = hasData ? lastRevision(target) : 0
    makeFolders(folder, 0o700)
    removeFile(partial)
    copyFileSync(file, partial, constants.COPYFILE_EXCL)
    chmodSync(partial, 0o600)
    renew(partial, { called: file, seen })
    if (hasData) replaceBy(partial, target)
    else if (!publish(partial, target))
      throw new Fault(`${target}: another berth process has just created it.`)
  } catch (error) {
    removeFile(partial)
    throw storeFault(file, error)
  }
}

function replaceBy(partial: string, target: string): void {
  setAside(target)
  moveTo(partial, target)
}

/** The revision of the existing file, if it can be read. Refuses a file that is in use. */
function lastRevision(file: string): number {
  try {
    const database = Database.open(file)
    database.close()
    return database.revision
  } catch (error) {
    if (error instanceof InUse) throw error
    return 0
  }
}

function renew(file: string, { called, seen }: { called: string; seen: number }): void {
  const database = Database.open(file, { called })
  try {
    database.load(() => undefined)
    database.advanceTo(Math.max(database.revision, seen) + step)
  } finally {
    database.close()
  }
}

/** SQLite would apply a leftover log to the new file. */
function setAside(file: string): void {
  for (const end of ['', '-wal']) {
    const from = `${file}${end}`
    const to = `${file}.replaced${end}`
    removeFile(to)
    const how = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL
    if (existsSync(from)) copyFileSync(from, to, how)
  }
  removeFile(`${file}-wal`)
}
