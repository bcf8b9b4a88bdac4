// Is nobody taken for dead in a day of bad weather, and how fast is who is? In virtual time, with
// seeds that nobody has tried; BERTH_SOAK_DAYS says how long. The figures go to docs/bench/soak.md.
import { afterAll, expect, test } from 'vitest'
import { Network } from '../sim/membershipNetwork.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const days = Number(process.env['BERTH_SOAK_DAYS'] ?? 1)
const kills = Math.round(1000 * days)
const stalls = Math.round(2000 * days)
const dayMs = 24 * 60 * 60 * 1000
const soaked: Soaked[] = []
const figures: string[] = []
const rates: string[] = []

type Soak = {
  readonly title: string
  readonly times: number
  /** The share of runs that may go wrong, where the rules cannot exclude it. */
  readonly allowed?: number
  /** What went wrong. */
  run(seed: number): string[]
}

const gone = (network: Network, from = 0) =>
  network.sightings.filter(({ at, state }) => at >= from && state !== 'alive')

/** Hours of 5 % loss, in pieces that differ in their seed. */
const loss: Soak = {
  title: 'an hour of three speakers with 5 % loss, nobody dead',
  times: Math.round(24 * days),
  run(seed) {
    const network = Network.of(3, seed, { loss: 0.05 })
    network.run(dayMs / 24)
    return gone(network).map(({ by, node, state }) => `seed ${seed}: ${by} saw ${node} ${state}`)
  },
}

/**
 * When all watchers miss the last beat before a stall of 300 ms as well, that is 340 ms of silence:
 * no watcher can tell it from a death.
 */
const stall = (count: number, lost: number): Soak => ({
  title: [
    `a stall of 300 ms of one of ${count} with ${100 * lost} % loss`,
    lost > 0 ? 'hardly ever a death' : 'never a death',
  ].join(', '),
  times: stalls,
  allowed: lost ** (count - 1),
  run(seed) {
    const network = Network.of(count, seed, { loss: lost, timerMs: 3, delayMs: [0.1, 2] })
    network.stall(`node-${1 + (seed % count)}`, 300)
    network.run(1500)
    return gone(network).map(({ by, node, state }) => `seed ${seed}: ${by} saw ${node} ${state}`)
  },
})

/** Until the last of the others knows. */
function kill(count: number, lost: number): Soak & { readonly ms: number[] } {
  const ms: number[] = []
  const longest = lost > 0 ? 1500 : 500
  return {
    title: `one of ${count} killed with ${100 * lost} % loss, known to all within ${longest} ms`,
    times: Math.ceil(kills / Math.max(1, count / 10)),
    ms,
    run(seed) {
      const network = Network.of(count, seed, { loss: lost })
      const from = network.now
      network.kill('node-2')
      network.run(2000)
      const seen = network.seen('node-2', 'dead', from).map(({ at }) => at - from)
      const last = seen.length < count - 1 ? Number.POSITIVE_INFINITY : Math.max(...seen)
      ms.push(last)
      return last > longest ? [`seed ${seed}: ${last}`] : []
    },
  }
}

/** The same in a cluster of 200; links would only add frames. */
const many: Soak = {
  title: 'ten of 200 killed, the others agree within a second',
  times: Math.ceil(3 * days),
  run(seed) {
    const network = new Network(seed)
    network.hasLinks = false
    network.isRecording = false
    network.open(200, 1200)
    for (let number = 1; number <= 200; number += 20) network.kill(`node-${number}`)
    network.run(1000)
    const running = network.names.sort().join()
    const differ = network.names.filter((name) => network.liveFor(name).join() !== running)
    return differ.map((name) => `seed ${seed}: ${name} sees ${network.liveFor(name).length}`)
  },
}

const detections = [kill(3, 0), kill(10, 0), kill(50, 0), kill(3, 0.05), kill(10, 0.05)]
const stalled = [stall(2, 0), stall(3, 0), stall(5, 0), stall(3, 0.05)]
const soaks = [loss, ...stalled, many, ...detections]

test.each(soaks.map((soak, index) => ({ ...soak, soak, seed: firstSeed + 100_000 * index })))(
  '$title, $times times, seed $seed',
  ({ title, times, seed, soak, allowed = 0 }) => {
    const start = performance.now()
    const firsts = Array.from({ length: times }, (_, at) => soak.run(seed + at).slice(0, 1))
    const wrongs = firsts.flat()
    const seconds = (performance.now() - start) / 1000
    const isHeld = wrongs.length <= allowed * times
    const outcome = isHeld ? 'held' : `failed, ${wrongs[0]}`
    soaked.push({ title, seed, runs: times, seconds, outcome })
    if (allowed > 0) rates.push(`${title.split(',')[0]}: ${wrongs.length} in ${times} saw a death`)
    expect(isHeld, wrongs.join('\n')).toBe(true)
  },
)

function figure({ title, ms }: { title: string; ms: number[] }): string {
  ms.sort((one, other) => one - other)
  const at = (share: number) => ms[Math.floor(share * (ms.length - 1))]?.toFixed(0) ?? '-'
  return `| ${title.split(',')[0]} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`
}

afterAll(() => {
  figures.push(...detections.filter(({ ms }) => ms.length > 0).map(figure))
  const about = `\`BERTH_SOAK_DAYS\` is how many days, \`BERTH_SOAK_SEED\` the first seed.

Speakers beat and gossip in virtual time, every 40 ms, timeout 340 ms; every message can be lost by
itself. In ms of virtual time, from the death until the last of the others knows of it:

| what | p50 | p99 | max |
| --- | --- | --- | --- |
${figures.join('\n')}

${rates.join('. ')}. When every watcher misses the last beat before such a stall too, it is silent
for the whole timeout; none can tell that from a death, and it lives again as soon as it objects.`
  writePart({ heading: 'Who is alive', about, soaked })
})
