// Why could the file not be read or written, and how is that fixed?
import { Fault } from '../../kube/api/fault.ts'

export const restoreRemedy =
  'Restore a backup with `berth up --restore FILE --replace`, or name another folder (`--data`).'

/** Another process has the file open. */
export class InUse extends Fault {
  override readonly name = 'InUse'
}

/** No space is left on the disk. */
export class DiskFull extends Fault {
  override readonly name = 'DiskFull'
}

type Meaning = { readonly why: string; readonly remedy: string }

const inUse = {
  why: 'another berth process uses it',
  remedy: 'Stop that one with `berth down`, or name another folder with `--data`.',
}
const notWritable = {
  why: 'it cannot be written',
  remedy: 'Give this user write access to the file and its folder, and mount them read-write.',
}
const full = {
  why: 'no space is left for it',
  remedy: 'Free space on its disk, then repeat the refused requests.',
}
const failed = {
  why: 'the disk failed',
  remedy: 'Check the kernel log for disk errors, then repeat the refused requests.',
}
const missing = { why: 'the file or its folder does not exist', remedy: 'Check the path.' }
const noFolder = {
  why: 'there is a file where a folder should be',
  remedy: 'Name another folder with `--data`.',
}
const damaged = { why: 'it is damaged', remedy: restoreRemedy }
const foreign = { why: 'it is not a file of Berth', remedy: restoreRemedy }

/** By the primary result codes of SQLite, and by errors of the system. */
const meanings: Readonly<Record<string, Meaning>> = {
  1: damaged,
  3: notWritable,
  5: inUse,
  6: inUse,
  8: notWritable,
  10: failed,
  11: damaged,
  13: full,
  14: notWritable,
  26: foreign,
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: notWritable,
  ENOSPC: full,
  EDQUOT: full,
  EIO: failed,
  EEXIST: noFolder,
  ENOTDIR: noFolder,
  ENOENT: missing,
}

export function storeFault(file: string, error: unknown): Fault {
  if (error instanceof Fault) return error
  const said = error instanceof Error ? error.message : String(error)
  const meaning = meanings[codeOf(error)]
  const options = { cause: error }
  if (meaning === undefined) return new Fault(`${file}: ${said}`, options)
  const text = `${file}: ${meaning.why} (${said}). ${meaning.remedy}`
  if (meaning === inUse) return new InUse(text, options)
  return meaning === full ? new DiskFull(text, options) : new Fault(text, options)
}

/** For what is refused without trying, so that deletions remain possible. */
export const noGrowth = (file: string): DiskFull =>
  new DiskFull(`${file}: ${full.why} (deletions still work). ${full.remedy}`)

/** Extended codes of SQLite have the primary one in their low byte. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('errcode' in error && typeof error.errcode === 'number') return `${error.errcode & 0xff}`
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
