// May a folder be written to? Only an empty one, or one that has a release in it, which goes.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lists what was released; empty until all of it is there. */
export const sumsFile = 'SHA256SUMS'

export function emptied(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder) : []
  if (files.length > 0 && !files.includes(sumsFile)) {
    throw new Error(
      `${folder} has files but no ${sumsFile}, so it is not a release: name an empty folder with --out`,
    )
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // One that fails on the way can be begun again.
  writeFileSync(join(folder, sumsFile), '')
}
