// How does a test look into the lab? By the commands of a user, in the namespaces of its machines.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Ip } from '../../src/core/net/ip.ts'
import { electionOrder } from '../../src/core/policy/announce/elect.ts'
import { until } from '../kube/waits.ts'

const root = join(import.meta.dirname, '../..')
const tool = join(import.meta.dirname, 'tool.ts')
const patienceMs = 100_000

/** The first Service of every lab. */
export const web = { four: '10.10.100.1', six: 'fd10:10::100:1' } as const

export type Ran = { readonly status: number | null; readonly out: string; readonly err: string }

/** To its end, from anywhere. */
export function run(command: readonly string[], input = ''): Ran {
  const [program = '', ...args] = command
  const options = { cwd: root, encoding: 'utf8', input, timeout: patienceMs } as const
  const ran = spawnSync(program, args, { ...options, maxBuffer: 1 << 28 })
  return { status: ran.status, out: ran.stdout, err: ran.stderr }
}

/** `berth lab` of a user. */
export const berthLab = (lab: string, ...args: readonly string[]): Ran => {
  const [word = '', ...rest] = args
  return run([join(root, 'berth'), 'lab', word, '--name', lab, ...rest])
}

const namespaceOf = (lab: string, machine: string): string => `berth-lab-${lab}-${machine}`
const inside = (lab: string, machine: string, command: readonly string[]): string[] => [
  ...['ip', 'netns', 'exec', namespaceOf(lab, machine), 'env', 'NO_PROXY=*'],
  ...command,
]

export type Lab = {
  readonly name: string
  readonly berth: (...args: readonly string[]) => Ran
  readonly in: (machine: string, ...command: readonly string[]) => Ran
  /** What tool.ts answers there. */
  readonly ask: (machine: string, words: readonly string[], input?: unknown) => unknown
  readonly start: (machine: string, ...command: readonly string[]) => ChildProcess
}

export function labNamed(name: string): Lab {
  const kubeconfig = `/run/berth-lab/${name}/api/kubeconfig`
  return {
    name,
    berth: (...args) => berthLab(name, ...args),
    in: (machine, ...command) => run(inside(name, machine, command)),
    ask(machine, words, input) {
      const command = [process.execPath, tool, kubeconfig, ...words]
      const text = input === undefined ? '' : JSON.stringify(input)
      const { status, out, err } = run(inside(name, machine, command), text)
      if (status !== 0) throw new Error(`${words.join(' ')}: ${err}`)
      return JSON.parse(out)
    },
    start(machine, ...command) {
      const [program = '', ...args] = inside(name, machine, command)
      return spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    },
  }
}

export const toolCommand = (...words: readonly string[]): string[] => [
  process.execPath,
  tool,
  '-',
  ...words,
]

/** The name of whose MAC that is, in a lab; the MAC itself where it is nobody's. */
export function machineAt(mac: string): string {
  const [, digits = ''] = /^02:00:00:10:(\d\d:\d\d)$/.exec(mac) ?? []
  const host = Number(digits.replace(':', ''))
  if (host > 200) return `client-${host - 200}`
  if (host > 10) return `node-${host - 10}`
  return host > 0 ? `router-${host}` : mac
}

/** Who answers arping, or ndisc6; more than one only when something is wrong. */
export function ownersOf({ in: run }: Lab, address: string): readonly string[] {
  const isSix = address.includes(':')
  const { out } = isSix
    ? run('client-1', 'ndisc6', '-m', '-r', '1', '-w', '300', address, 'eth0')
    : run('client-1', 'arping', '-c', '3', '-W', '0.1', '-w', '1', '-I', 'eth0', address)
  const macs = [...out.matchAll(/[0-9a-f]{2}(?::[0-9a-f]{2}){5}/gi)].map(([mac]) => machineAt(mac))
  return [...new Set(macs)].sort()
}

/** The one who answers, once there is exactly one, and it fits. */
export const ownerOf = (
  lab: Lab,
  address: string,
  fits: (owner: string) => boolean = () => true,
): Promise<string> =>
  until(`one owner of ${address}`, () => {
    const [owner, ...others] = ownersOf(lab, address)
    return owner !== undefined && others.length === 0 && fits(owner) ? owner : undefined
  })

/** Whom the election puts first: there it is when nothing is broken. */
export const homeOf = (address: string): string =>
  electionOrder({ ip: address as Ip, nodes: nodeNames, scoreOf: () => 0 })[0] ?? ''
const nodeNames = ['node-1', 'node-2', 'node-3']

/** All of it mended, and the first Service at home, as the API says too: so each test begins. */
export async function mended(lab: Lab): Promise<void> {
  lab.berth('heal')
  const home = homeOf(web.four)
  for (const address of Object.values(web)) await ownerOf(lab, address, (owner) => owner === home)
  const named = new RegExp(`^default/web +${web.four}, ${web.six} +${home}$`, 'm')
  await until(`the API names ${home}`, () => named.test(lab.berth('status').out) || undefined)
}

/** What a lab could leave behind on the host. */
export function tracesOf(lab: string): readonly string[] {
  const prefix = namespaceOf(lab, '')
  const namespaces = existsSync('/run/netns') ? readdirSync('/run/netns') : []
  const folder = `/run/berth-lab/${lab}`
  const processes = run(['ps', '-eo', 'pid=,args=']).out.split('\n')
  return [
    ...namespaces.filter((one) => one.startsWith(prefix)),
    ...(existsSync(folder) ? [folder] : []),
    ...processes.filter((line) => line.includes(folder) || line.includes(`--name ${lab}`)),
  ]
}
