// What can still be done on a full disk? A file that only takes up space is given up, so that
// objects can be deleted and a restart succeeds; meanwhile nothing may grow.
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Enough for the log of the database to be written back. */
const mostBytes = 8 * 1024 * 1024
/** Of a small disk. */
const share = 1 / 8
/** With less than this, a start may fail. */
const lowBytes = 512 * 1024
const againMs = 5_000

export class Spare {
  readonly #file: string
  /** `given-up` from an error until there is enough space again. */
  #state: 'held' | 'given-up' | 'none'
  #failedAt = Number.NEGATIVE_INFINITY

  /** `isKnown`: objects were stored here before, so a missing file was given up. */
  constructor(database: string, isKnown: boolean) {
    this.#file = spareOf(database)
    makeRoom(database)
    this.#state = existsSync(this.#file) ? 'held' : 'none'
    if (this.#state === 'none' && !this.#take() && isKnown) this.#state = 'given-up'
  }

  /** Whether only deletions are possible; ends by itself once there is space. */
  get isLow(): boolean {
    return this.#state === 'given-up' && !this.#take()
  }

  /** Called when the disk is full. */
  giveUp(): void {
    this.#state = 'given-up'
    rmSync(this.#file, { force: true })
  }

  #take(): boolean {
    const { freeBytes, spareBytes } = spaceAt(this.#file)
    if (freeBytes < 1.5 * spareBytes || performance.now() - this.#failedAt < againMs) return false
    try {
      fill(this.#file, spareBytes)
      this.#state = 'held'
      return true
    } catch {
      // A quota, which the free space does not show.
      rmSync(this.#file, { force: true })
      this.#failedAt = performance.now()
      return false
    }
  }
}

/** Called before a start, which writes some files. */
export function makeRoom(database: string): void {
  const file = spareOf(database)
  if (existsSync(file) && spaceAt(file).freeBytes < lowBytes) rmSync(file)
}

const spareOf = (database: string): string => `${database}.spare`

function spaceAt(file: string): { readonly freeBytes: number; readonly spareBytes: number } {
  const { bavail, blocks, bsize } = statfsSync(dirname(file))
  const spareBytes = Math.min(mostBytes, Math.floor(blocks * bsize * share))
  return { freeBytes: bavail * bsize, spareBytes }
}

function fill(file: string, lengthBytes: number): void {
  // Not zeros, which a file system may store as nothing.
  const piece = crypto.getRandomValues(new Uint8Array(64 * 1024))
  const opened = openSync(file, 'wx', 0o600)
  try {
    for (let left = lengthBytes; left > 0; left -= piece.length) {
      writeSync(opened, piece.subarray(0, left))
    }
  } finally {
    closeSync(opened)
  }
}
