// Which programs does the suite ask? dnsmasq, which answers, and dig, which asks; or why not.
import { spawnSync } from 'node:child_process'

const needed = [
  { program: 'dnsmasq', by: 'apt-get install dnsmasq-base' },
  { program: 'dig', by: 'apt-get install dnsutils' },
]

/** Empty if all are there. */
export function whatIsMissing(): string {
  const missing = needed.filter(({ program }) => {
    const { error } = spawnSync(program, ['-v'], { stdio: 'ignore' })
    return error !== undefined
  })
  return missing.map(({ program, by }) => `no ${program} (${by})`).join(', ')
}
