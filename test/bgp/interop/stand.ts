// Where do Berth and a router meet? In two namespaces with a wire between them, all of it recorded.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agreed } from '../../../src/core/session/bgp/agreed.ts'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import type { Order } from './engine.ts'

export const places = {
  node: { four: '10.77.0.2', six: 'fd77::2' },
  router: { four: '10.77.0.1', six: 'fd77::1' },
} as const
type Machine = keyof typeof places

type Seen = {
  readonly log: readonly string[]
  /** What keeps routers from connecting; absent where we do not listen. */
  readonly trouble?: string
  readonly sessions: readonly {
    readonly name: string
    readonly state: string
    readonly lastError: string
    /** Whether the router has opened the connection. */
    readonly wasAccepted: boolean
    readonly agreed?: Agreed
    readonly counts: {
      readonly sent: Readonly<Record<string, number>>
      readonly received: Readonly<Record<string, number>>
    }
    readonly told: { readonly sent: number; readonly pending: number }
    readonly bfd?: string
  }[]
}

/** '' where the router has no root of its own. */
export const rootOf = (root: string): string => (root.endsWith('trixie') ? root : '')

export type Berth = {
  readonly pid: number | undefined
  readonly order: (order: Order) => void
  readonly routes: (now: readonly Route[], gone?: readonly Route[]) => void
  readonly seen: () => Promise<Seen>
  /** Without a word. */
  readonly kill: () => void
  /** Ends once the process has. */
  readonly leave: (text: string) => Promise<void>
}

/** A program that is killed lets go of its port once it has ended. */
export const killed = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(undefined)
    child.once('exit', resolve)
    child.kill('SIGKILL')
  })

export type Stand = {
  /** For files of both sides. */
  readonly folder: string
  readonly start: (place: Machine, ...command: readonly string[]) => ChildProcess
  readonly run: (place: Machine, ...command: readonly string[]) => string
  /** From now on nothing that this side says arrives, ARP included; or it does again. */
  readonly silence: (place: Machine, isSilent: boolean) => void
  /** On the node, unless it is said where. */
  readonly berth: (place?: Machine) => Berth
  /** What went over the wire since the start. */
  readonly record: () => Promise<string>
  /** Everything that was started is gone then. */
  readonly clear: () => Promise<void>
}

const ip = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

type StandOptions = {
  /** The root of the router's files, where it has one of its own. */
  readonly under?: string
  /** Without, there are only those of the link. */
  readonly hasAddresses?: boolean
}

export async function stand(
  name: string,
  { under = '', hasAddresses = true }: StandOptions = {},
): Promise<Stand> {
  const spaceOf = (place: Machine): string => `berth-it-${process.pid}-${name}-${place}`
  const within = (place: Machine, command: readonly string[]): string[] => [
    ...['netns', 'exec', spaceOf(place), ...command],
  ]
  const folder = mkdtempSync(join(under, tmpdir(), 'berth-it-'))
  const children: ChildProcess[] = []
  const start = (place: Machine, ...command: readonly string[]): ChildProcess => {
    const child = spawn('ip', within(place, command), { stdio: ['pipe', 'pipe', 'pipe'] })
    children.push(child)
    // A router that nobody listens to stops in the middle of a word.
    for (const stream of [child.stdout, child.stderr]) stream?.resume()
    return child
  }
  const run = (place: Machine, ...command: readonly string[]): string => {
    const options = { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 20_000 } as const
    const { stdout } = spawnSync('ip', within(place, command), options)
    return stdout ?? ''
  }
  for (const place of ['node', 'router'] as const) ip('netns', 'add', spaceOf(place))
  const [one, other] = [spaceOf('node'), spaceOf('router')]
  ip('link', 'add', 'eth0', 'netns', one, 'type', 'veth', 'peer', 'eth0', 'netns', other)
  for (const place of ['node', 'router'] as const) {
    const { four, six } = places[place]
    ip(...within(place, ['ip', 'link', 'set', 'lo', 'up']))
    const addresses = hasAddresses ? [`${four}/24`, `${six}/64`] : []
    for (const one of addresses)
      ip(...within(place, ['ip', 'addr', 'add', one, 'dev', 'eth0', 'nodad']))
    ip(...within(place, ['ip', 'link', 'set', 'eth0', 'up']))
  }
  const capture = join(tmpdir(), `${spaceOf('node')}.pcap`)
  // Otherwise the kernel keeps what came in the last second for itself.
  const atOnce = ['--immediate-mode', '-U']
  const recorder = start('node', 'tcpdump', ...atOnce, '-i', 'eth0', '-s', '0', '-w', capture)
  await new Promise((resolve) => recorder.stderr?.once('data', resolve))
  return {
    folder,
    start,
    run,
    silence(place, isSilent) {
      const limit = isSilent ? ['tbf', 'rate', '8bit', 'burst', '10', 'limit', '10'] : []
      run(place, 'tc', 'qdisc', isSilent ? 'add' : 'del', 'dev', 'eth0', 'root', ...limit)
    },
    berth: (place = 'node') => berthIn((...command) => start(place, ...command)),
    async record() {
      await sleep(200)
      return capture
    },
    async clear() {
      await Promise.all(children.map(killed))
      for (const place of ['node', 'router'] as const) ip('netns', 'delete', spaceOf(place))
      rmSync(folder, { recursive: true, force: true })
      rmSync(capture, { force: true })
    },
  }
}

function berthIn(start: (...command: readonly string[]) => ChildProcess): Berth {
  const child = start(process.execPath, join(import.meta.dirname, 'engine.ts'))
  let failed = ''
  child.stderr?.on('data', (bytes) => {
    failed += String(bytes)
  })
  const answers: ((line: string) => void)[] = []
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => answers.shift()?.(line))
  }
  const order = (given: Order): void => void child.stdin?.write(`${JSON.stringify(given)}\n`)
  return {
    pid: child.pid,
    order,
    routes: (now, gone = []) => order({ kind: 'routes', now, gone }),
    seen: () =>
      new Promise((resolve, reject) => {
        if (child.exitCode !== null) reject(new Error(`the engine has ended: ${failed}`))
        answers.push((line) => resolve(JSON.parse(line) as Seen))
        order({ kind: 'ask' })
      }),
    kill: () => void child.kill('SIGKILL'),
    async leave(text) {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      order({ kind: 'leave', text })
      await gone
    },
  }
}
