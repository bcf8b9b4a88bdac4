// A wire to answer on: namespaces of the test's own around one bridge, gone with the test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Ip } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import type {
  Announcement,
  Counted,
  Sighting,
  Started,
} from '../../src/core/session/layer2/announcement.ts'
import type { HostLink } from '../../src/edge/host/packet/hostLink.ts'
import { until } from '../kube/waits.ts'

export type NodeOrder =
  | { readonly announce: readonly Announcement[] }
  | { readonly withdraw: readonly Ip[] }
  | { readonly peers: readonly (readonly [Mac, string])[] }
  | { readonly heart: 'stops' | 'beats' }

export type NodeNews = {
  readonly links?: readonly HostLink[]
  readonly open?: readonly string[]
  readonly started?: readonly Started[]
  readonly sightings?: readonly Sighting[]
  readonly counts?: readonly Counted[]
  readonly trouble?: string
  readonly ended?: string
}

let grounds = 0

/** Hosts on one bridge, each with eth0, 192.0.2.N and fd00::N, N from 1 on. */
export function newGround(hosts: number): readonly Host[] {
  const ground = `berth-l2-${process.pid}-${++grounds}`
  const fabric = newNamespace(`${ground}-fabric`)
  run(['ip', '-n', fabric, 'link', 'add', 'br0', 'type', 'bridge'])
  run(['ip', '-n', fabric, 'link', 'set', 'br0', 'up'])
  return Array.from({ length: hosts }, (_, at) => {
    const host = new Host(newNamespace(`${ground}-${at + 1}`), fabric)
    host.plug('eth0', `02:00:00:00:00:0${at + 1}`)
    host.ip('addr', 'add', `192.0.2.${at + 1}/24`, 'dev', 'eth0')
    host.ip('addr', 'add', `fd00::${at + 1}/64`, 'dev', 'eth0')
    return host
  })
}

function newNamespace(name: string): string {
  run(['ip', 'netns', 'add', name])
  onTestFinished(() => void spawnSync('ip', ['netns', 'del', name]))
  // The test need not wait for the kernel to be sure of its own addresses.
  run(['ip', 'netns', 'exec', name, 'sysctl', '-qw', 'net.ipv6.conf.default.accept_dad=0'])
  return name
}

type Ran = { readonly status: number | null; readonly out: string }

function run(command: readonly string[]): Ran {
  const ran = tried(command)
  if (ran.status !== 0) throw new Error(`${command.join(' ')}: ${ran.out}`)
  return ran
}

function tried([program = '', ...args]: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, out: `${stdout}${stderr}` }
}

const aMac = /[0-9a-f]{1,2}(:[0-9a-f]{1,2}){5}/gi
const macsIn = (text: string): readonly string[] =>
  (text.match(aMac) ?? []).map((mac) =>
    mac
      .toLowerCase()
      .split(':')
      .map((octet) => octet.padStart(2, '0'))
      .join(':'),
  )

export class Host {
  readonly namespace: string
  readonly #fabric: string

  constructor(namespace: string, fabric: string) {
    this.namespace = namespace
    this.#fabric = fabric
  }

  ip(...args: readonly string[]): void {
    run(['ip', '-n', this.namespace, ...args])
  }

  run(...command: readonly string[]): Ran {
    return tried(this.#here(command))
  }

  start(...command: readonly string[]): ChildProcess {
    const [program = '', ...args] = this.#here(command)
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  /** Up, and on the bridge. */
  plug(name: string, mac: string): void {
    const port = `p${mac.replaceAll(':', '').slice(2)}`
    const inside = ['peer', 'name', name, 'address', mac, 'netns', this.namespace]
    run(['ip', '-n', this.#fabric, 'link', 'add', port, 'type', 'veth', ...inside])
    run(['ip', '-n', this.#fabric, 'link', 'set', port, 'master', 'br0', 'up'])
    this.ip('link', 'set', name, 'up')
  }

  /** Whoever answers for an IPv4 address, by MAC; '' is nobody. */
  arping(address: string, ...more: readonly string[]): string {
    const asked = ['-r', '-c', '1', '-C', '1', '-w', '1', '-i', 'eth0', ...more, address]
    return macsIn(this.run('arping', ...asked).out)[0] ?? ''
  }

  /** The same for IPv6. */
  ndisc(address: string): string {
    const asked = ['-q', '-1', '-r', '1', '-w', '1000', address, 'eth0']
    return macsIn(this.run('ndisc6', ...asked).out)[0] ?? ''
  }

  #here(command: readonly string[]): readonly string[] {
    return ['ip', 'netns', 'exec', this.namespace, ...command]
  }
}

export type Node = {
  readonly news: readonly NodeNews[]
  tell(order: NodeOrder): void
  /** The first news that fits, of all that came or of what comes. */
  hears<T>(what: string, look: (news: NodeNews) => T | undefined): Promise<T>
  signal(signal: NodeJS.Signals): void
  /** Ends by itself, with what exit status. */
  stop(): Promise<number | null>
}

/** Answers on eth0 by the time it is there. */
export async function startNode(host: Host): Promise<Node> {
  const child = host.start(process.execPath, join(import.meta.dirname, 'layer2Node.ts'))
  const news: NodeNews[] = []
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('no pipes')
  createInterface({ input: stdout }).on('line', (line) => news.push(JSON.parse(line)))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const node: Node = {
    news,
    tell: (order) => void stdin.write(`${JSON.stringify(order)}\n`),
    hears: (what, look) =>
      until(what, () => {
        for (const one of news) {
          const found = look(one)
          if (found !== undefined) return found
        }
        return undefined
      }),
    signal: (signal) => void child.kill(signal),
    async stop() {
      stdin.end()
      return await ended
    },
  }
  await node.hears('eth0 is open', ({ open }) => open?.includes('eth0') || undefined)
  return node
}

export const startsOn = (node: Node, address: string, name = 'eth0'): Promise<Started> =>
  node.hears(`${address} is announced on ${name}`, ({ started }) =>
    started?.find((one) => one.address === address && one.interface === name),
  )

/** Lines of tcpdump on eth0. */
export async function watchWire(host: Host, what: string): Promise<readonly string[]> {
  const lines: string[] = []
  const child = host.start('tcpdump', '-l', '-n', '-e', '-tt', '-i', 'eth0', ...what.split(' '))
  if (child.stdout === null) throw new Error('no pipe')
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  // It says nothing when it is ready: the first frame that it sees tells.
  await until('tcpdump listens', () => {
    host.run('arping', '-q', '-c', '1', '-w', '1', '-i', 'eth0', '192.0.2.254')
    return lines.length > 0 || undefined
  })
  return lines
}
