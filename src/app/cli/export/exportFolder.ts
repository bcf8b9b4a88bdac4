// Which files does an export have? One for each object, below its kind and namespace. What an
// earlier export left and is no longer there goes; a folder of somebody else is not touched.
import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { recordAt, textAt } from '../../../core/model/json.ts'
import { makeFolders } from '../../../edge/host/makeFolders.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { faultOf } from '../../../edge/manifests/files.ts'
import type { LiveObject } from '../live/listAll.ts'
import { exportedText } from './exported.ts'

const marker = '.berth-export'
const about = 'Written by berth export, which removes what is no longer in the cluster.\n'

export class ExportFolder {
  readonly #folder: string
  readonly #written = new Set<string>()
  /** Folders that are no links. */
  readonly #plain = new Set<string>()

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async open(folder: string): Promise<ExportFolder> {
    try {
      makeFolders(folder)
      const there = await readdir(folder)
      if (there.some((name) => name !== '.git') && !there.includes(marker)) {
        throw new Fault(`${folder} is not empty and no export: name another folder`)
      }
      const files = new ExportFolder(folder)
      await files.#refuseLinks(join(folder, marker))
      await writeFile(join(folder, marker), about)
      return files
    } catch (error) {
      throw error instanceof Fault ? error : new Fault(`${folder}: ${faultOf(error)}`)
    }
  }

  get size(): number {
    return this.#written.size
  }

  async write(plural: string, object: LiveObject): Promise<void> {
    const metadata = recordAt(object, 'metadata')
    const names = [plural, textAt(metadata, 'namespace'), textAt(metadata, 'name')]
    const file = join(
      this.#folder,
      `${names
        .filter((one) => one !== '')
        .map(safe)
        .join('/')}.yaml`,
    )
    const text = exportedText(object)
    this.#written.add(file)
    await this.#refuseLinks(file)
    if ((await textOf(file)) === text) return
    makeFolders(dirname(file))
    await writeFile(file, text)
  }

  async #refuseLinks(file: string): Promise<void> {
    const parts = relative(this.#folder, file).split(sep)
    for (const at of parts.keys()) {
      const path = join(this.#folder, ...parts.slice(0, at + 1))
      if (this.#plain.has(path)) continue
      if (await isLink(path)) {
        throw new Fault(`${path} is a link: remove it, or export to another folder`)
      }
      if (at < parts.length - 1) this.#plain.add(path)
    }
  }

  /** What an earlier export has of a kind that was read to the end. Answers how many files. */
  async prune(plural: string): Promise<number> {
    const top = join(this.#folder, plural)
    await this.#refuseLinks(top)
    const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => [])
    const gone = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
      .map((entry) => join(top, relative(top, entry.parentPath), entry.name))
      .filter((file) => !this.#written.has(file))
    for (const file of gone) await rm(file)
    return gone.length
  }
}

/** A folder that is kept in git comes from whoever may write there: no link leads out of it. */
const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true

const textOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(() => undefined)

/** Whatever an object is called, its file lies where it should. */
const safe = (name: string): string =>
  encodeURIComponent(name).replace(/^\./, '%2E').replaceAll('%2F', '%252F')
