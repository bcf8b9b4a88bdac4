// Which system programs does the lab need, and how are they run? A missing program is reported with
// the package that contains it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Fault } from '../../edge/kube/api/fault.ts'

const packages = { ip: 'iproute2', nft: 'nftables', sysctl: 'procps' } as const

/** Administration tools are not on every user's PATH. */
const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin']

/** Just the name if it is not found, which makes the best error message. */
export const pathTo = (program: string): string =>
  folders.map((folder) => join(folder, program)).find(existsSync) ?? program

/** Runs a command in a namespace; `ip` and `env` exec it, so the pid stays the same. */
export const inNamespace = (namespace: string, command: readonly string[]): string[] => [
  ...[pathTo('ip'), 'netns', 'exec', namespace],
  // The host's proxy is unreachable from there.
  ...[pathTo('env'), 'NO_PROXY=*', 'no_proxy=*', ...command],
]

/** Throws messages that a user can act on. */
export function refuseWithoutMeans(): void {
  if (process.platform !== 'linux') throw new Fault('a lab needs Linux network namespaces')
  const missing = Object.entries(packages).filter(([program]) => pathTo(program) === program)
  if (missing.length > 0) {
    const named = missing.map(([program]) => program).join(' and ')
    const install = `apt-get install ${missing.map(([, name]) => name).join(' ')}`
    throw new Fault(`${named} ${missing.length > 1 ? 'are' : 'is'} missing: ${install}`)
  }
  if (process.geteuid?.() !== 0) {
    throw new Fault('a lab needs root to create network namespaces; run it with sudo')
  }
}

export const namespaceFolder = '/run/netns'

/** Nothing where the namespace has gone: two who remove a lab do not stop each other half-way. */
export function runIfThere(namespace: string, command: readonly string[]): string {
  try {
    return run(command)
  } catch (error) {
    if (existsSync(join(namespaceFolder, namespace))) throw error
    return ''
  }
}

/** Runs a command to its end and returns its output. */
export function run(command: readonly string[], input = ''): string {
  const [program = '', ...args] = command
  const options = { encoding: 'utf8', input, maxBuffer: 1 << 28 } as const
  const ran = spawnSync(pathTo(program), args, options)
  if (ran.status === 0) return ran.stdout
  const why = ran.error?.message ?? (ran.stderr.trim() || `exited with ${ran.status ?? ran.signal}`)
  throw new Fault(`${command.join(' ')}: ${why}`)
}
