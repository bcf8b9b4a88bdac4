// How is a folder made with all that lead to it? One after the other: where mkdir says ENOENT of a
// folder whose parent is there, as in /proc, Node's own `recursive` tries for ever.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Answers the first folder that it had to make. */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  if (isFolder(path)) return undefined
  const parent = dirname(path)
  const top = parent === path ? undefined : makeFolders(parent, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    // Another process was faster.
    if (Object(error).code === 'EEXIST' && isFolder(path)) return top
    throw error
  }
  return top ?? path
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
