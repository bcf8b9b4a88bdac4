// Where do senders and receivers meet? In two namespaces with a wire between them.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export const places = { sender: '10.99.0.1', receiver: '10.99.0.2' } as const
type Machine = keyof typeof places
const spaceOf = (place: Machine): string => `berth-bench-${process.pid}-${place}`
const within = (place: Machine, ...command: readonly string[]): string[] => [
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

export function start(place: Machine, ...command: readonly string[]): ChildProcess {
  return spawn('ip', within(place, ...command), { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Once it has ended: it may take a while to let go of what it holds. */
export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** What a program in a place answers; '' while it does not. */
export const answer = (place: Machine, ...command: readonly string[]): string =>
  spawnSync('ip', within(place, ...command), { encoding: 'utf8' }).stdout ?? ''

export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`waited a minute for ${what}`)
    await sleep(20)
  }
}

/** In hundredths of a second, of all threads. */
export function cpuMsOf(pid: number | undefined): number {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const stat =
    readFileSync(`/proc/${child || pid}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? []
  return (Number(stat[11]) + Number(stat[12])) * 10
}
