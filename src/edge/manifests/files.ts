// Which files does a path mean? Itself, or of a folder every manifest below it, in order of name.
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'

type ManifestFile = { readonly file: string; readonly why?: string }

/** A file that is named itself is read whatever it is called, and may be a pipe. */
export async function* filesAt(path: string): AsyncGenerator<ManifestFile> {
  let isFolder = false
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    return yield { file: path, why: faultOf(error) }
  }
  if (!isFolder) return yield { file: path }
  let isEmpty = true
  for await (const found of filesBelow(path, path)) {
    isEmpty = false
    yield found
  }
  if (isEmpty) yield { file: path, why: 'a folder without a .yaml, .yml or .json file' }
}

/** What people say about the folder to us; no manifest. */
export const settingsFile = '.berth.yaml'

/** The names that kustomize looks for in a folder. */
export const isKustomization = (file: string): boolean =>
  ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].includes(basename(file))

/** What the system said, without the path: that is told beside it. */
export function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'no such file or folder'
  if (code === 'EACCES') return 'permission denied'
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'a file, and not a directory'
  if (code === 'EISDIR') return 'a directory, and not a file'
  return error instanceof Error ? error.message : String(error)
}

async function* filesBelow(folder: string, top: string): AsyncGenerator<ManifestFile> {
  let entries: Dirent[] = []
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    return yield { file: folder, why: faultOf(error) }
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) {
      if (entry.name === settingsFile) continue
      if (/\.(?:yaml|yml|json)$/.test(entry.name) || isKustomization(path)) {
        yield* regularFile(path, top)
      }
    } else if (!entry.name.startsWith('..')) {
      // Kubernetes keeps the versions of a mounted ConfigMap in folders that begin with two dots.
      yield* filesBelow(path, top)
    }
  }
}

/**
 * Links to folders are not followed, as by kubectl: no way leads round in a circle. Links to files
 * are, as a mounted ConfigMap has them, but not out of the folder: whoever made it would have any
 * file read that the reader can read.
 */
async function* regularFile(path: string, top: string): AsyncGenerator<ManifestFile> {
  try {
    const target = await stat(path)
    if (target.isDirectory()) return
    const [real, within] = await Promise.all([realpath(path), realpath(top)])
    if (!real.startsWith(within.endsWith(sep) ? within : `${within}${sep}`)) {
      return yield { file: path, why: 'a link that leads out of the folder; name the file itself' }
    }
    yield target.isFile() ? { file: path } : { file: path, why: 'not a regular file' }
  } catch (error) {
    yield { file: path, why: faultOf(error) }
  }
}
