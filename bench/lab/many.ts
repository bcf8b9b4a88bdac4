// With many Services on the lost node, how far apart are the first and the last address to return,
// is anything announced that has not moved, and what does a speaker with so many cost?
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pool, service } from '../../test/lab/objects.ts'
import { bring } from './contenders.ts'
import { berthLab, type Ground, loseNode, newGround, speakersOf, stopDataPath } from './ground.ts'
import { Ear } from './watchers.ts'

export type Many = {
  readonly services: number
  /** How many the lost node had. */
  readonly moved: number
  /** From the loss to the first announcement, and from there to the last address. */
  readonly firstMs: number
  readonly spreadMs: number
  readonly announced: number
  readonly frames: number
  readonly rssMb: number
  readonly idlePercent: number
}

/** API requests are sent in batches of this size. */
const heap = 500
const calmMs = 6_000
const idleMs = 10_000

export async function measureMany(services: number, say: (text: string) => void): Promise<Many> {
  const ground = newGround()
  const ear = new Ear()
  try {
    await ear.ask('reset')
    bring('apply', pool({ name: 'many', addresses: '10.10.128.0/17' }))
    for (let first = 0; first < services; first += heap) {
      const count = Math.min(heap, services - first)
      const some = Array.from({ length: count }, (_, at) => service(serviceAt(first + at)))
      bring('create', some)
      say(`${first + count} Services`)
    }
    const all = await allAnnounced(ear, services)
    stopDataPath(ground.lab())
    const node = 'node-2'
    const moved = countOn(ground, node)
    const costs = await costOf(ground)
    say(`${moved} of ${all} are on ${node}`)
    await ear.ask('reset')
    const lostMs = loseNode(ground, node, speakersOf(ground, node))
    const { frames, addresses, firstMs, lastMs } = await ear.quiet(calmMs)
    return {
      services,
      moved,
      firstMs: firstMs - lostMs,
      spreadMs: lastMs - firstMs,
      announced: addresses,
      frames,
      ...costs,
    }
  } finally {
    ear.close()
    ground.down()
  }
}

/** Policy Local would need a health-check node port each, and there are too few. */
const serviceAt = (index: number) => ({
  policy: 'Cluster' as const,
  name: `many-${index}`,
  address: `10.10.${128 + Math.floor(index / 250)}.${(index % 250) + 1}`,
})

async function allAnnounced(ear: Ear, services: number): Promise<number> {
  for (;;) {
    const { addresses } = await ear.quiet(calmMs)
    if (addresses >= services) return addresses
  }
}

/** As reported by the speakers. */
function countOn(_: Ground, node: string): number {
  const [, count = '0'] = new RegExp(`^${node} .* (\\d+)$`, 'm').exec(berthLab('status')) ?? []
  return Number(count)
}

/** Of the largest speaker, while idle. */
async function costOf(ground: Ground): Promise<Pick<Many, 'rssMb' | 'idlePercent'>> {
  const pids = speakersOf(ground, ...ground.nodes).map(({ pid }) => pid)
  const before = pids.map(ticksOf)
  await sleep(idleMs)
  const used = pids.map((pid, at) => ticksOf(pid) - (before[at] ?? 0))
  return {
    rssMb: Math.max(...pids.map(rssOf)),
    idlePercent: (Math.max(...used) * 10 * 100) / idleMs,
  }
}

/** In ticks of 10 ms. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}
