// Where are the libraries that nobody here wrote? Where install.sh keeps them, or why not.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export type Libraries = { readonly folder: string } | { readonly why: string }

export function findLibraries(): Libraries {
  const install = join(import.meta.dirname, 'install.sh')
  const { status, stdout, stderr, error } = spawnSync('bash', [install], { encoding: 'utf8' })
  if (status === 0) return { folder: stdout.trim() }
  return { why: error?.message ?? stderr.trim().split('\n').at(-1) ?? 'install.sh failed' }
}
