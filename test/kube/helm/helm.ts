// Which helm is the chart tried with? Always the pinned one, or the reason why there is none.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export type Helm = { readonly path: string } | { readonly why: string }

export function findHelm(): Helm {
  const build = join(import.meta.dirname, 'build.sh')
  const { status, stdout, stderr, error } = spawnSync('sh', [build], { encoding: 'utf8' })
  if (status === 0) return { path: stdout.trim() }
  return { why: error?.message ?? stderr.trim().split('\n').at(-1) ?? 'build.sh failed' }
}
