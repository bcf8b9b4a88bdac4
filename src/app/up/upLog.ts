// Where does a background instance log? To one file that survives restarts; once it is long it is
// rotated, and one old file is kept.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { storeFault } from '../../edge/store/storage/storeFault.ts'
import type { Folder } from './folder.ts'

const mostBytes = 4 * 1024 * 1024

export type UpLog = {
  readonly descriptor: number
  /** The file did not exist before. */
  readonly isNew: boolean
  /** What was logged since this start. */
  readonly said: () => string
  readonly close: () => void
}

export function openLog({ log }: Folder, now: Date): UpLog {
  try {
    const isNew = !existsSync(log)
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants
    const descriptor = openSync(log, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR, 0o600)
    shorten(log)
    writeSync(descriptor, `started at ${now.toISOString()}\n`)
    const from = fstatSync(descriptor).size
    return {
      descriptor,
      isNew,
      said: () => textFrom(descriptor, from),
      close: () => closeSync(descriptor),
    }
  } catch (error) {
    throw storeFault(log, error)
  }
}

/** Through the descriptor: another start that failed may have renamed the file. */
function textFrom(descriptor: number, from: number): string {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from))
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from)).toString()
}

/** Called by the instance itself, which may log for months; in a terminal it has no log file. */
export function keepShort({ log }: Folder, descriptor: number = process.stderr.fd): void {
  try {
    const [ours, there] = [fstatSync(descriptor), statSync(log)]
    if (ours.ino === there.ino && ours.dev === there.dev) shorten(log)
  } catch {
    // A full disk now may have space later.
  }
}

/** Copied and truncated, not renamed, so that the writer continues at its end. */
function shorten(log: string): void {
  if (statSync(log).size < mostBytes) return
  rmSync(`${log}.1`, { force: true })
  copyFileSync(log, `${log}.1`, constants.COPYFILE_EXCL)
  truncateSync(log)
}
