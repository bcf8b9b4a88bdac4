// Which promises hold in every history that can be thought of? Each is a property over random steps;
// the suite runs it with a fixed seed, the soak with fresh ones.
import fc from 'fast-check'
import { gatesOf, readCrds } from '../../src/app/cli/gates.ts'
import { decideService } from '../../src/core/policy/decideService.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { history, inventory, type Step, take } from '../build/randomSteps.ts'
import { digestOf, rebuilt } from './digest.ts'
import {
  heldTwice,
  misrecorded,
  movedByOthers,
  notReleased,
  overQuota,
  overTheFence,
  rewritten,
} from './promises.ts'
import { type Snapshot, snapshotOf } from './snapshot.ts'

const gate = gatesOf(await readCrds())('native')
const newCluster = () => new Cluster(gate, settings)

export type Promised = { readonly title: string; readonly property: fc.IProperty<unknown> }
type Broken = readonly unknown[]

/** What holds after every step of a history. */
function always(
  title: string,
  brokenBy: (moment: { cluster: Cluster; before: Snapshot; step: Step }) => Broken,
): Promised {
  const property = fc.property(history, (steps) => {
    const cluster = newCluster()
    for (const step of steps) {
      const before = snapshotOf(cluster)
      take(cluster, step)
      cluster.settle()
      none(brokenBy({ cluster, before, step }))
    }
  })
  return { title, property }
}

/** What holds once a history has come to its end. */
function finally_(title: string, brokenBy: (cluster: Cluster) => Broken): Promised {
  const property = fc.property(history, (steps) => {
    const cluster = newCluster()
    for (const step of steps) {
      take(cluster, step)
      cluster.settle()
    }
    none(brokenBy(cluster))
  })
  return { title, property }
}

function none(broken: Broken): void {
  if (broken.length > 0) throw new Error(broken.map((one) => String(one)).join('\n'))
}

const differences = (title: string, one: unknown, other: unknown): Broken => {
  const [a, b] = [one, other].map((value) => text(value))
  return a === b ? [] : [`${title}: ${a}\nis not ${b}`]
}
const text = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))

export const promises: readonly Promised[] = [
  always('[P1] no address is held by two Services that may not share it', ({ cluster }) =>
    heldTwice(snapshotOf(cluster)),
  ),
  always('[R3.1] each held address has its Address, with its holders', ({ cluster }) =>
    misrecorded(snapshotOf(cluster)),
  ),
  always('[P2] a change moves only those whom it concerns', ({ cluster, before, step }) =>
    movedByOthers(before, snapshotOf(cluster), step),
  ),
  always('[P2] a restart moves nothing and writes nothing', ({ cluster }) => {
    const before = snapshotOf(cluster)
    cluster.restart()
    cluster.settle()
    return rewritten(before, snapshotOf(cluster))
  }),
  always('[R4.9] no gift goes beyond the quota', ({ cluster, before, step }) =>
    overQuota(before, snapshotOf(cluster), step),
  ),
  always('[P7] the fence holds both ways', ({ cluster, before, step }) =>
    overTheFence(before, snapshotOf(cluster), step),
  ),
  always('[R2.3] nobody waits for what could be had', ({ cluster }) => gains(cluster)),
  always('[R7] what is said is still so', ({ cluster }) => unsaid(cluster)),
  always('[2.8] the kept indexes are those computed from nothing', ({ cluster: { world } }) => {
    const kept = digestOf(world)
    return (['as listed', 'the other way round'] as const).flatMap((order) =>
      differences(`kept, read ${order}`, kept, digestOf(rebuilt(world, order))),
    )
  }),
  finally_('[R3.1] what is deleted is free again', (cluster) => {
    for (const id of cluster.ids()) if (id.startsWith('Service/')) cluster.delete(id)
    cluster.settle()
    return notReleased(snapshotOf(cluster))
  }),
  {
    title: '[P2] the order in which objects come decides nothing',
    property: fc.property(
      inventory.chain((objects) =>
        fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })),
      ),
      ([one, other]) => {
        none(differences('in order', outcomeOf(one), outcomeOf(other)))
      },
    ),
  },
]

/** Waiting Services that would be given something if only they were asked. */
function gains({ world }: Cluster): Broken {
  return [...world.waiting.keys()].flatMap((key) => {
    const { intent } = decideService(world, key)
    const held = world.holdingOf(key)?.ips ?? []
    return intent.ips.length > held.length ? [`${key} could have ${intent.ips}`] : []
  })
}

/** Services on which something else would be written if they were looked at again. */
function unsaid({ world }: Cluster): Broken {
  return [...world.services.keys()].flatMap((key) => {
    const { intent, write } = decideService(world, key)
    const wish = world.waiting.wishOf(key)
    if (write !== undefined) return [`${key} should say ${JSON.stringify(write)}`]
    return intent.wait?.wish === wish
      ? []
      : [`${key} waits as ${wish}, not as ${intent.wait?.wish}`]
  })
}

function outcomeOf(objects: readonly object[]) {
  const cluster = newCluster()
  for (const json of objects) {
    const applied = cluster.apply({ ...json })
    if (!applied.ok)
      throw new Error(`refused: ${JSON.stringify(applied.errors)} ${JSON.stringify(json)}`)
  }
  cluster.settle()
  const services = [...snapshotOf(cluster).services.values()]
  return services.map(({ key, ips, pool }) => [key, ips, pool]).sort()
}
