// May the suites here do what only root may: have a disk, a wire, a tracer, fewer rights? One probe,
// and a line that says so or why not.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    mayAsRoot: boolean
  }
}

const does = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args).status === 0

/** In the order in which it is needed. */
function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'no Linux'
  if (process.geteuid?.() !== 0) return 'not root'
  const install = join(import.meta.dirname, '../lab/install.sh')
  const programs = ['ip', 'arping', 'mount', 'setpriv', 'strace']
  const ran = spawnSync('bash', [install, ...programs], { encoding: 'utf8' })
  if (ran.status !== 0) return ran.error?.message ?? ran.stderr.trim().split('\n').at(-1)
  const name = `berth-try-${process.pid}`
  if (!does('ip', 'netns', 'add', name)) return 'no network namespaces'
  does('ip', 'netns', 'delete', name)
  if (!does('strace', '-qq', '-o', '/dev/null', 'true')) return 'nothing can be traced'
  if (!does('setpriv', '--bounding-set=-net_raw', 'true')) return 'rights cannot be given up'
  return isMountable() ? undefined : 'no tmpfs can be mounted'
}

function isMountable(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'berth-try-'))
  const isMounted = does('mount', '-t', 'tmpfs', 'berth-try', folder)
  if (isMounted) does('umount', folder)
  rmdirSync(folder)
  return isMounted
}

export function setup(project: TestProject): () => void {
  const why = whyNot()
  const say = (): void => {
    process.stdout.write(`up, as root: ${why === undefined ? 'ran' : `not run: ${why}`}\n`)
  }
  if (why !== undefined && process.env['BERTH_REQUIRE_ALL'] === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('mayAsRoot', why === undefined)
  return say
}
