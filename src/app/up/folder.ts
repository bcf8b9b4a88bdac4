// Where does one machine keep what it knows? One folder, for its owner only.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

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

type Environment = Readonly<Record<string, string | undefined>>

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

export function makeFolder({ path }: Folder): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
}

/** Whole or not at all, and never readable by others, not even for a moment. */
export function writePrivate(file: string, text: string): void {
  const written = `${file}.new`
  writeFileSync(written, text, { mode: 0o600 })
  chmodSync(written, 0o600)
  renameSync(written, file)
}
