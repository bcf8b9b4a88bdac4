// Which programs of the system does the lab need, and how are they run? What is missing is told
// with the package that has it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Fault } from '../../edge/kube/api/fault.ts'

const packages = { ip: 'iproute2', nft: 'nftables', sysctl: 'procps' } as const

/** Administrators' programs are not on the PATH of everybody. */
const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin']

/** Its own name where it is nowhere, which says best what is missing. */
export const pathTo = (program: string): string =>
  folders.map((folder) => join(folder, program)).find(existsSync) ?? program

/** A command that runs in a namespace, as the same process: `ip` and `env` become it. */
export const inNamespace = (namespace: string, command: readonly string[]): string[] => [
  ...[pathTo('ip'), 'netns', 'exec', namespace],
  // No proxy of the host is reached from there.
  ...[pathTo('env'), 'NO_PROXY=*', 'no_proxy=*', ...command],
]

/** Throws what a person can act on. */
export function refuseWithoutMeans(): void {
  if (process.platform !== 'linux') throw new Fault('a lab needs Linux: it is made of namespaces')
  const missing = Object.entries(packages).filter(([program]) => pathTo(program) === program)
  if (missing.length > 0) {
    const named = missing.map(([program]) => program).join(' and ')
    const install = `apt-get install ${missing.map(([, name]) => name).join(' ')}`
    throw new Fault(`${named} ${missing.length > 1 ? 'are' : 'is'} missing: ${install}`)
  }
  if (process.geteuid?.() !== 0) {
    throw new Fault('a lab needs root, to make network namespaces: run it with sudo')
  }
}

/** To its end; what it prints. */
export function run(command: readonly string[], input = ''): string {
  const [program = '', ...args] = command
  const options = { encoding: 'utf8', input, maxBuffer: 1 << 28 } as const
  const ran = spawnSync(pathTo(program), args, options)
  if (ran.status === 0) return ran.stdout
  const why = ran.error?.message ?? (ran.stderr.trim() || `ended with ${ran.status ?? ran.signal}`)
  throw new Fault(`${command.join(' ')}: ${why}`)
}
