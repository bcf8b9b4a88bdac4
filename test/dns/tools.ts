// Are the programs there that the suite asks? dnsmasq, which answers, dig, which asks, and dnsperf, which
// asks all the time.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Why not; empty if all are there. */
export function whatIsMissing(): string {
  const install = join(import.meta.dirname, '../lab/install.sh')
  const { status, stderr, error } = spawnSync('bash', [install, 'dnsmasq', 'dig', 'dnsperf'], {
    encoding: 'utf8',
  })
  if (status === 0) return ''
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? 'install.sh failed'
}
