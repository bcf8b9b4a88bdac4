// How long does lint take over the files that users of OpenStack on Kubernetes have?
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type RealFiles = {
  readonly files: number
  /** From the start of the process to its end, sorted. */
  readonly ms: readonly number[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '../shared/real')
const times = 3

/** undefined where they are not. */
export function measureRealFiles(): RealFiles | undefined {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ya?ml$/.test(name),
  ).length
  const ms = Array.from({ length: times }, () => {
    const beganMs = performance.now()
    const args = [join(root, 'dist/main.js'), 'lint', '-f', folder]
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    })
    if (status === null) throw new Error(`lint did not end by itself: ${stderr}`)
    return performance.now() - beganMs
  })
  return { files, ms: ms.sort((one, other) => one - other) }
}
