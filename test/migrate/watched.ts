// What does a client notice while something is done? A program on the client asks for the addresses
// meanwhile, ten times a second or as often as is said.
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../kube/waits.ts'
import { clientAddresses, type Rig } from './rig.ts'

export type Wire = {
  readonly address: string
  /** The longest time between two answers; below 0 if there was none at all. */
  readonly gapMs: number
  readonly gapAt: string
  /** How long two nodes answered. */
  readonly doubleMs: number
  /** How many answered. */
  readonly macs: number
}

const [settleMs, afterMs] = [1_500, 1_000]

const { lan4, lan6 } = clientAddresses
export const wireWatcher = (everyMs: number): readonly string[] => [
  ...[join(import.meta.dirname, 'watchWire.ts'), 'eth0', lan4, lan6],
  String(everyMs),
]

/** With another program: one that takes addresses and says as much at its end. */
export async function watched(
  rig: Rig,
  addresses: readonly string[],
  work: () => Promise<void>,
  program: readonly string[] = wireWatcher(100),
): Promise<readonly Wire[]> {
  const words = [process.execPath, ...program, ...addresses]
  // First in line: a watcher that has to wait for a processor reports that as a gap.
  const watching = rig.start(`exec nice -n -10 ${words.map((word) => `'${word}'`).join(' ')}`)
  const chunks: string[] = []
  watching.stdout?.on('data', (chunk) => chunks.push(String(chunk)))
  const ended = once(watching, 'exit')
  try {
    await sleep(settleMs)
    await work()
    await sleep(afterMs)
  } finally {
    watching.kill('SIGTERM')
    await ended
  }
  return JSON.parse(chunks.join(''))
}

/** The longest silence of all addresses, in words for a table. */
export function noticed(rows: readonly Wire[]): string {
  const gaps = rows.map(({ gapMs }) => gapMs).sort((one, other) => one - other)
  const double = rows.filter(({ doubleMs }) => doubleMs > 0)
  const longest = Math.max(0, ...double.map(({ doubleMs }) => doubleMs))
  const s = (ms: number | undefined): string => `${((ms ?? 0) / 1_000).toFixed(2)} s`
  const twice = double.length === 0 ? 'none' : `${double.length}, ${s(longest)}`
  return [s(gaps[gaps.length >> 1]), s(gaps.at(-1)), twice].join(' | ')
}

/** At rest: one node answers for each address, and none is without an answer. */
export const answeredByOne = (rig: Rig, addresses: readonly string[]): Promise<true> =>
  until(
    'one node answers for each address',
    async () => {
      const rows = await watched(rig, addresses, () => Promise.resolve())
      return rows.every(({ gapMs, macs }) => gapMs >= 0 && macs === 1) || undefined
    },
    60_000,
  )
