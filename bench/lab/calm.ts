// Is anything taken over without a failure? With a process that stalls, and a network with loss.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { logOf } from '../../src/app/lab/labPaths.ts'
import { address } from './contenders.ts'
import { type Ground, newGround, runIn, speakersOf } from './ground.ts'
import { Ear, Pulse } from './watchers.ts'

export type Calm = {
  readonly what: string
  readonly takeovers: number
  /** Gratuitous ARP. */
  readonly frames: number
  /** How often a speaker was declared dead, according to the logs. */
  readonly accused: number
  readonly longestPauseMs: number
}

const stallMs = 300

/** Stalls each speaker in turn. */
export const measureStall = (stalls: number, say: (text: string) => void): Promise<Calm> =>
  watching(`${stalls} stalls of ${stallMs} ms`, async (ground) => {
    for (let stall = 0; stall < stalls; stall++) {
      const node = ground.nodes[stall % ground.nodes.length] ?? ''
      const pids = speakersOf(ground, node).map(({ pid }) => pid)
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      await sleep(stallMs)
      for (const pid of pids) process.kill(pid, 'SIGCONT')
      await sleep(700 + Math.random() * 300)
    }
    say('stalls done')
  })

/** Loss between nodes on both wires; the client's traffic is not affected. */
export const measureLoss = (minutes: number, say: (text: string) => void): Promise<Calm> =>
  watching(`${minutes} minutes of 5 % loss between nodes`, async (ground) => {
    const plugs = ground.nodes.flatMap((node) => [`"${node}-lan"`, `"${node}-mgmt"`]).join(', ')
    const rule = `iifname { ${plugs} } oifname { ${plugs} } numgen random mod 100 < 5 counter drop`
    const chain = `type filter hook forward priority 0\n${rule}`
    runIn('fabric', ['nft', '-f', '-'], `table bridge lossy {\nchain forward {\n${chain}\n}\n}\n`)
    await sleep(minutes * 60_000)
    const listed = runIn('fabric', ['nft', 'list', 'table', 'bridge', 'lossy'])
    say(`dropped ${/packets (\d+)/.exec(listed)?.[1]} frames`)
  })

async function watching(what: string, work: (ground: Ground) => Promise<void>): Promise<Calm> {
  const ground = newGround()
  const [pulse, ear] = [new Pulse(address), new Ear()]
  try {
    await pulse.steady(3_000)
    await ear.quiet(6_000)
    await ear.ask('reset')
    const moves = pulse.moves.length
    const deaths = deathsIn(ground)
    pulse.pauses.length = 0
    await work(ground)
    await sleep(2_000)
    const { frames } = await ear.ask('report')
    return {
      what,
      takeovers: pulse.moves.length - moves,
      frames,
      accused: deathsIn(ground) - deaths,
      longestPauseMs: Math.max(0, ...pulse.pauses),
    }
  } finally {
    pulse.close()
    ear.close()
    ground.down()
  }
}

const deathsIn = (ground: Ground): number =>
  ground.nodes
    .map((node) => readFileSync(logOf(ground.lab(), 'speaker', node), 'utf8'))
    .reduce((sum, log) => sum + (log.match(/speaker is dead/g)?.length ?? 0), 0)
