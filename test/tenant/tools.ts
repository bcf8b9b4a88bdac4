// Which programs of others judge what tenants make? Each built or installed once, or why not.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'

export type Tool = { readonly path: string } | { readonly why: string }

function builtBy(script: string, ...args: readonly string[]): Tool {
  const file = join(import.meta.dirname, script)
  const { status, stdout, stderr, error } = spawnSync('sh', [file, ...args], { encoding: 'utf8' })
  if (status === 0) return { path: stdout.trim() }
  return { why: error?.message ?? stderr.trim().split('\n').at(-1) ?? `${script} failed` }
}

/** The plugins of the distribution, where there are network namespaces to try them in. */
export function findPlugins(): Tool {
  if (process.getuid?.() !== 0) return { why: 'not root' }
  const install = join(import.meta.dirname, '../lab/install.sh')
  const { status, stderr } = spawnSync('bash', [install, 'ip', 'ping', 'static'], {
    encoding: 'utf8',
  })
  if (status === 0) return { path: '/usr/lib/cni' }
  return { why: stderr.trim().split('\n').at(-1) ?? 'install.sh failed' }
}

/** nmstate's own library. */
export const findJudge = (): Tool => builtBy('nmstate/build.sh')
