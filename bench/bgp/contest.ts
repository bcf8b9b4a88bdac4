// Who takes part? A sender and a receiver in two namespaces; each sender is told when to announce and
// when to withdraw, and the receiver is asked how many routes it has.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Contest = {
  readonly folder: string
  readonly count: number
  readonly attributes: 'equal' | 'different'
}
export type Receiver = { readonly routes: () => number; readonly stop: () => void }
export type Sender = {
  readonly announce: () => void
  readonly withdraw: () => void
  readonly cpuMs: () => number
  readonly stop: () => void
}

const places = { sender: '10.99.0.1', receiver: '10.99.0.2' } as const
type Place = keyof typeof places
const spaceOf = (place: Place): string => `berth-bench-${process.pid}-${place}`
const within = (place: Place, ...command: readonly string[]): string[] => [
  ...['netns', 'exec', spaceOf(place)],
  ...command,
]
const ip = (...args: readonly string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

export function raise(): void {
  ip('netns', 'add', spaceOf('sender'))
  ip('netns', 'add', spaceOf('receiver'))
  const [one, other] = [spaceOf('sender'), spaceOf('receiver')]
  ip('link', 'add', 'eth0', 'netns', one, 'type', 'veth', 'peer', 'eth0', 'netns', other)
  for (const place of ['sender', 'receiver'] as const) {
    ip(...within(place, 'ip', 'link', 'set', 'lo', 'up'))
    ip(...within(place, 'ip', 'addr', 'add', `${places[place]}/24`, 'dev', 'eth0'))
    ip(...within(place, 'ip', 'link', 'set', 'eth0', 'up'))
  }
}

export function clear(): void {
  for (const place of ['sender', 'receiver'] as const) {
    spawnSync('ip', ['netns', 'delete', spaceOf(place)])
  }
}

function start(place: Place, ...command: readonly string[]): ChildProcess {
  return spawn('ip', within(place, ...command), { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** What a program in a place answers; '' while it does not. */
const answer = (place: Place, ...command: readonly string[]): string =>
  spawnSync('ip', within(place, ...command), { encoding: 'utf8' }).stdout ?? ''

async function until(what: string, isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`waited in vain: ${what}`)
    await sleep(20)
  }
}

export async function startBird(folder: string): Promise<Receiver> {
  const [config, control] = [join(folder, 'receiver.conf'), join(folder, 'receiver.ctl')]
  writeFileSync(
    config,
    `router id ${places.receiver};
protocol device { }
protocol bgp incoming {
  local as 64513; neighbor ${places.sender} as 64512; passive; direct;
  error wait time 1, 1; error forget time 1;
  ipv4 { import all; export none; };
}
`,
  )
  const child = start('receiver', 'bird', '-f', '-c', config, '-s', control)
  const ask = () =>
    answer('receiver', 'birdc', '-s', control, 'show', 'protocols', 'all', 'incoming')
  await until('BIRD', () => ask().includes('BGP'))
  return {
    routes: () => Number(/Routes: +(\d+) imported/.exec(ask())?.[1] ?? 0),
    stop: () => child.kill(),
  }
}

export async function startFrr(folder: string): Promise<Receiver> {
  const home = join(folder, 'frr')
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, 'bgpd.conf'),
    `router bgp 64513
 bgp router-id ${places.receiver}
 no bgp ebgp-requires-policy
 neighbor ${places.sender} remote-as 64512
 neighbor ${places.sender} passive
`,
  )
  const command = [
    ...['/usr/lib/frr/bgpd', '-u', 'root', '-g', 'frrvty', '-n', '-Z', '-P', '0'],
    ...['-f', join(home, 'bgpd.conf'), '-i', join(home, 'bgpd.pid'), '--vty_socket', home],
  ]
  const child = start('receiver', ...command)
  const ask = () => {
    const words = ['vtysh', '--vty_socket', home, '-d', 'bgpd', '-c', 'show bgp summary json']
    return answer('receiver', ...words)
  }
  await until('FRR', () => ask().includes(places.sender))
  return {
    routes: () => Number(/"pfxRcd": *(\d+)/.exec(ask())?.[1] ?? 0),
    stop: () => child.kill(),
  }
}

/** In hundredths of a second, of all threads. */
function cpuMsOf(pid: number | undefined): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const stat =
    readFileSync(`/proc/${child || pid}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? []
  return (Number(stat[11]) + Number(stat[12])) * 10
}

export async function startBerth({ count, attributes }: Contest): Promise<Sender> {
  const script = join(import.meta.dirname, 'berthSender.ts')
  const command = [process.execPath, script, places.receiver, String(count), attributes]
  const child = start('sender', ...command)
  let said = ''
  child.stdout?.on('data', (bytes) => {
    said += String(bytes)
  })
  await until('Berth', () => said.includes('ready'))
  return {
    announce: () => child.stdin?.write('announce\n'),
    withdraw: () => child.stdin?.write('withdraw\n'),
    cpuMs: () => cpuMsOf(child.pid),
    stop: () => child.kill(),
  }
}

/** The prefix of a number, and a community of its own. */
export const prefixOf = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}/32`
export const communityOf = (at: number): string => `${64_512 + (at >> 16)}:${at & 0xffff}`

export async function startBirdSender(contest: Contest): Promise<Sender> {
  const { folder, count, attributes } = contest
  const [config, control] = [join(folder, 'sender.conf'), join(folder, 'sender.ctl')]
  const routes = Array.from({ length: count }, (_, at) => {
    const community = communityOf(at).replace(':', ',')
    const added = attributes === 'equal' ? '' : ` { bgp_community.add((${community})); }`
    return `  route ${prefixOf(at)} blackhole${added || ''};`
  })
  writeFileSync(
    config,
    `router id ${places.sender};
protocol device { }
protocol static fixed { disabled; ipv4;
${routes.join('\n')}
}
protocol bgp outgoing {
  local as 64512; neighbor ${places.receiver} as 64513; direct;
  connect delay time 1; ipv4 { import none; export all; next hop self; };
}
`,
  )
  const child = start('sender', 'bird', '-f', '-c', config, '-s', control)
  const say = (...words: readonly string[]) => answer('sender', 'birdc', '-s', control, ...words)
  const isUp = () => say('show', 'protocols', 'outgoing').includes('Established')
  await until('BIRD, the sender', isUp)
  return {
    announce: () => say('enable', 'fixed'),
    withdraw: () => say('disable', 'fixed'),
    cpuMs: () => cpuMsOf(child.pid),
    stop: () => child.kill(),
  }
}
