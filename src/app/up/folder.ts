// Where does a single machine keep its data? In one folder, readable by its owner only.
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolders } from '../../edge/host/makeFolders.ts'
import { moveTo } from '../../edge/store/storage/databaseFile.ts'
import { storeFault } from '../../edge/store/storage/storeFault.ts'

export type Folder = {
  readonly path: string
  readonly kubeconfig: string
  /** Certificate authorities and certificates with their keys. */
  readonly keys: string
  /** The authorities' certificates alone, which clients may see. */
  readonly ca: string
  /** Which process runs on this folder, and where it serves. */
  readonly running: string
  /** The log of a background instance. */
  readonly log: string
}

export type Environment = Readonly<Record<string, string | undefined>>

export function folderAt(path: string): Folder {
  return {
    path,
    kubeconfig: join(path, 'kubeconfig'),
    keys: join(path, 'keys.json'),
    ca: join(path, 'ca.crt'),
    running: join(path, 'running.json'),
    log: join(path, 'up.log'),
  }
}

/** By default where the user's other programs keep their data. */
export function chosenFolder(asked: string, env: Environment, home: string): Folder {
  if (asked !== '') return folderAt(resolve(asked))
  const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share')
  return folderAt(join(data, 'berth'))
}

const ours = /^(?:berth\.db|kubeconfig|keys\.json|ca\.crt|running\.json|up\.log)(?:[.-].*)?$/

/**
 * The folder's mode is not changed if it holds other things too, such as /tmp: each of our files is
 * readable by its owner only. Returns a function that removes what was created if the start fails.
 */
export function makeFolder({ path }: Folder): () => void {
  try {
    const top = makeFolders(path, 0o700)
    if (readdirSync(path).every((name) => ours.test(name))) chmodSync(path, 0o700)
    return () => removeEmpty(path, top ?? `${path}/`)
  } catch (error) {
    throw storeFault(path, error)
  }
}

/** Up to `top`; folders with something in them stay, because someone uses them. */
function removeEmpty(path: string, top: string): void {
  if (path.length < top.length) return
  try {
    rmdirSync(path)
  } catch {
    return
  }
  removeEmpty(dirname(path), top)
}

/** Atomic and durable, and never readable by others, not even for a moment. */
export function writePrivate(file: string, text: string): void {
  const written = `${file}.new`
  try {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) {
      chmodSync(file, 0o600)
      return
    }
    // A leftover from a crash may have another mode, which writing would keep.
    rmSync(written, { force: true })
    writeFileSync(written, text, { mode: 0o600, flag: 'wx' })
    moveTo(written, file)
  } catch (error) {
    throw storeFault(file, error)
  }
}
