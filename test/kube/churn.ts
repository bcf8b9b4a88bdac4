// What do users do while controllers work? Services, ports, keys and requests change, and the pool
// shrinks, grows, and is for some and then for others; the same in every run of one seed.
import { setTimeout as sleep } from 'node:timers/promises'
import { merge } from './cluster.ts'
import { asking, isClaimWrite, type Spoil } from './controllers.ts'
import type { Stand } from './faultStand.ts'
import { type Lines, late, slow, untouched } from './lateness.ts'
import { pick, seeded } from './seeded.ts'

export type Watches = { readonly title: string; readonly first: Lines; readonly second: Lines }

export const watches: readonly Watches[] = [
  { title: 'watches as they are', first: untouched, second: untouched },
  { title: 'watches that are 100 ms late', first: late(100), second: late(100) },
  { title: 'one watch that falls behind', first: slow(100), second: untouched },
]

export type Churn = { readonly lines: Watches; readonly seed: number; readonly steps: number }

/** While the first pauses, the second gets far enough to give the same address to somebody else. */
export async function churnTwoLeaders(stand: Stand, { lines, seed, steps }: Churn): Promise<void> {
  const one = stand.run({ lines: lines.first, spoil: pausing(seeded(seed), 300) })
  const other = stand.run({ lines: lines.second })
  await Promise.all([one.quiet(), other.quiet()])
  await churn(stand, seeded(seed + 1), steps)
  await one.stop()
  await other.quiet()
  await other.stop()
}

const colours = ['red', 'blue']

async function churn(stand: Stand, random: () => number, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const act = pick(random, 3) === 0 ? changePool : changeService
    // A Service that is there already, or not any more.
    await act(stand, random).catch(() => undefined)
    // Time enough that something is half done when the next change comes.
    await sleep(random() * 30)
  }
}

function changeService({ services, namespace, ip }: Stand, random: () => number) {
  const at = pick(random, 12)
  const name = `s${at}`
  const asked = pick(random, 3) === 0 ? ip(pick(random, 4)) : null
  const key = pick(random, 2) === 0 ? { 'metallb.io/allow-shared-ip': 'k' } : {}
  const ask = { 'metallb.io/loadBalancerIPs': asked }
  const spec = { ports: [{ port: 80 + pick(random, 3) }] }
  const kind = pick(random, 4)
  if (kind === 0) return services.remove(name)
  if (kind === 1) {
    return services.patch(name, { type: merge, body: { metadata: { annotations: ask }, spec } })
  }
  const annotations = asked === null ? key : { ...ask, ...key }
  const labels = { colour: colours[at % 2] }
  return services.create(asking(name, namespace, { annotations, labels, spec }))
}

/**
 * Whoever may not have its address any more lets go without a change of its own, and somebody else
 * gets that address at once: the pool is small, and what one loses is what another waits for.
 */
function changePool({ cluster, namespace, ip }: Stand, random: () => number) {
  const addresses = pick(random, 4) === 0 ? [`${ip(0)}/24`] : [`${ip(2)}-${ip(5)}`]
  const serviceSelectors = [{ matchLabels: { colour: colours[pick(random, 2)] } }]
  const body = { spec: { addresses, serviceAllocation: { serviceSelectors } } }
  return cluster.pools.patch(namespace, { type: merge, body })
}

/** Half of the writes wait first, as on a busy machine: what was decided grows old. */
function pausing(random: () => number, mostMs: number): Spoil {
  return async (request, pass) => {
    if (isClaimWrite(request) && random() < 0.5) await sleep(random() * mostMs)
    return pass()
  }
}
