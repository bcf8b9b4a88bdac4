// What does GoBGP read in a message of ours, and what do we read in one of its? Its packet library,
// built once; a whole batch is asked at a time.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

type Oracle = { readonly path: string } | { readonly why: string }

/** Goes into the cache of the user, as everything that is built for tests. */
export function findOracle(): Oracle {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, 'berth', 'routers')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'gobgp-oracle-4.8.0')
  const build = spawnSync('go', ['build', '-o', path, '.'], {
    ...{ cwd: import.meta.dirname, encoding: 'utf8' },
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  })
  if (build.status === 0) return { path }
  return { why: build.error?.message ?? build.stderr.trim().split('\n').at(-1) ?? 'no Go' }
}

/** One answer for each line; `command`: a program that answers them. */
export function ask(command: readonly string[], lines: readonly string[]): readonly string[] {
  const input = `${lines.join('\n')}\n`
  const [program = '', ...args] = command
  const ran = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: 1 << 30 })
  if (ran.status !== 0) throw new Error(`the oracle ended: ${ran.error?.message ?? ran.stderr}`)
  return ran.stdout.trimEnd().split('\n')
}
