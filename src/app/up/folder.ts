// Where does one machine keep what it knows? One folder, for its owner only.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { moveTo } from '../../edge/store/storage/databaseFile.ts'
import { storeFault } from '../../edge/store/storage/storeFault.ts'

export type Folder = {
  readonly path: string
  readonly kubeconfig: string
  /** Authorities and the certificates they signed, with their keys. */
  readonly keys: string
  /** The authorities alone, which clients may see. */
  readonly ca: string
  /** Who runs on this folder, and where it answers. */
  readonly running: string
  /** What an instance in the background says. */
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

/** Where the user's other programs keep their data. */
export function chosenFolder(asked: string, env: Environment, home: string): Folder {
  if (asked !== '') return folderAt(resolve(asked))
  const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share')
  return folderAt(join(data, 'berth'))
}

const ours = /^(?:berth\.db|kubeconfig|keys\.json|ca\.crt|running\.json|up\.log)(?:[.-].*)?$/

/**
 * One that holds other things too, such as /tmp, is not closed to those who use it: each file of
 * ours is for its owner only. Answers how to take back what was made, if it came to nothing.
 */
export function makeFolder({ path }: Folder): () => void {
  try {
    const top = mkdirSync(path, { recursive: true, mode: 0o700 })
    if (readdirSync(path).every((name) => ours.test(name))) chmodSync(path, 0o700)
    return () => removeEmpty(path, top ?? `${path}/`)
  } catch (error) {
    throw storeFault(path, error)
  }
}

/** Up to the top; whatever has something in it stays, since somebody uses it. */
function removeEmpty(path: string, top: string): void {
  if (path.length < top.length) return
  try {
    rmdirSync(path)
  } catch {
    return
  }
  removeEmpty(dirname(path), top)
}

/** Whole or not at all, over a power cut too, and never readable by others, not for a moment. */
export function writePrivate(file: string, text: string): void {
  const written = `${file}.new`
  try {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) {
      chmodSync(file, 0o600)
      return
    }
    // What a crash left behind may have another mode, which writing would keep.
    rmSync(written, { force: true })
    writeFileSync(written, text, { mode: 0o600, flag: 'wx' })
    moveTo(written, file)
  } catch (error) {
    throw storeFault(file, error)
  }
}
