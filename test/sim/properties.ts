// Which promises hold in every history that can be thought of? Each is a property over random
// steps; the suite runs it with a fixed seed, the soak with fresh ones.
import fc from 'fast-check'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { recordAt } from '../../src/core/model/json.ts'
import { decideService } from '../../src/core/policy/decideService.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
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

export type Promised = { readonly title: string; readonly property: fc.IProperty<unknown> }
/** A cluster that has settled after a step, with what its objects said before and say now. */
type Moment = {
  readonly cluster: Cluster
  readonly step: Step
  readonly before: Snapshot
  readonly now: Snapshot
}
type Kept<T> = { readonly title: string; readonly brokenBy: (subject: T) => readonly string[] }

const gate = gatesOf(await readCrds())('native')

const afterEachStep: readonly Kept<Moment>[] = [
  {
    title: '[P1] no address is held by two Services that may not share it',
    brokenBy: ({ now }) => heldTwice(now),
  },
  {
    title: '[P2] a change moves only those whom it concerns',
    brokenBy: ({ before, now, step }) => movedByOthers(before, now, step),
  },
  {
    title: '[P7] the fence between tenants holds both ways',
    brokenBy: ({ before, now, step }) => overTheFence(before, now, step),
  },
  {
    title: '[R2.3] nobody waits for what could be had',
    brokenBy: ({ cluster }) => couldHave(cluster),
  },
  {
    title: '[R2.4] who asks for a specific address comes before who takes any',
    brokenBy: (moment) => passedOver(moment),
  },
  {
    title: '[R3.1] each held address has its Address with its holders, and no other has',
    brokenBy: ({ now }) => misrecorded(now),
  },
  {
    title: '[R4.9] no gift goes beyond the quota',
    brokenBy: ({ before, now, step }) => overQuota(before, now, step),
  },
  {
    title: '[R7] what a Service says is still so',
    brokenBy: ({ cluster }) => outdated(cluster),
  },
  {
    title: '[R3.12] what is decided can be seen, so that nothing is pending at rest',
    brokenBy: ({ cluster: { world } }) =>
      [...world.services.keys()].filter((key) => world.pendingOf(key) !== undefined),
  },
  {
    title: '[P8] the kept indexes are those computed from the objects alone',
    brokenBy: ({ cluster: { world } }) => {
      const kept = digestOf(world)
      return (['as listed', 'the other way round'] as const).flatMap((order) =>
        differences(`read ${order}`, kept, digestOf(rebuilt(world, order))),
      )
    },
  },
]

const atTheEnd: readonly Kept<Cluster>[] = [
  {
    title: '[P2] a restart moves nothing and writes nothing',
    brokenBy(cluster) {
      const before = snapshotOf(cluster)
      cluster.restart()
      cluster.settle()
      return rewritten(before, snapshotOf(cluster))
    },
  },
  {
    title: '[R3.14] lost pools and tenants take nothing away, and neither does their return',
    brokenBy: (cluster) => movedByLoss(cluster),
  },
  {
    title: '[R3.1] what is deleted is free again',
    brokenBy(cluster) {
      for (const id of cluster.ids()) if (id.startsWith('Service/')) cluster.delete(id)
      cluster.settle()
      return notReleased(snapshotOf(cluster))
    },
  },
]

const inAnyOrder: Promised = {
  title: '[P2] the order in which objects arrive decides nothing',
  property: fc.property(
    inventory.chain((objects) =>
      fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })),
    ),
    ([one, other]) => expectNone(differences('shuffled', outcomeOf(one), outcomeOf(other))),
  ),
}

const all = [...afterEachStep, ...atTheEnd]
const rules = new Set(all.map(({ title }) => /\[(.*?)\]/.exec(title)?.[1]))

/** All of them on one history: to settle it costs more than to look at it. */
export const promises: readonly Promised[] = [
  {
    title: `[${[...rules].join(', ')}] every promise holds after every step`,
    property: keeping(afterEachStep, atTheEnd),
  },
  inAnyOrder,
]

function keeping(
  stepwise: readonly Kept<Moment>[],
  finals: readonly Kept<Cluster>[],
): fc.IProperty<unknown> {
  return fc.property(history, (steps) => {
    const cluster = new Cluster(gate, settings)
    let before = snapshotOf(cluster)
    for (const step of steps) {
      take(cluster, step)
      cluster.settle()
      const now = stepwise.length === 0 ? before : snapshotOf(cluster)
      expectAll(stepwise, { cluster, step, before, now })
      before = now
    }
    expectAll(finals, cluster)
  })
}

/** Tenants come back first, since pools are theirs; what they make is theirs to make again. */
function movedByLoss(cluster: Cluster): string[] {
  const before = snapshotOf(cluster)
  const kinds = ['Tenant/', 'IPAddressPool/']
  const lost = kinds.flatMap((kind) => cluster.ids().filter((id) => id.startsWith(kind)))
  const written = lost.map((id) => cluster.get(id) ?? {}).filter(isByHand)
  cluster.lose(lost)
  const moved: string[] = []
  for (const json of [undefined, ...written]) {
    if (json !== undefined) cluster.hold(json)
    cluster.settle()
    const now = snapshotOf(cluster)
    for (const { key, ips, pool, isOurs } of before.services.values()) {
      const has = now.services.get(key)?.ips ?? []
      const isKept = !isOurs || pool === '' || ips.every((ip) => has.includes(ip))
      if (!isKept) moved.push(`${key} had ${ips} and has ${has} with ${JSON.stringify(json)}`)
    }
  }
  return moved
}

const isByHand = (json: object): boolean => !('ownerReferences' in recordAt(json, 'metadata'))

function expectAll<T>(promised: readonly Kept<T>[], subject: T): void {
  for (const { title, brokenBy } of promised) {
    expectNone(brokenBy(subject).map((sentence) => `${title}: ${sentence}`))
  }
}

function expectNone(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(broken.join('\n'))
}

function differences(title: string, one: unknown, other: unknown): string[] {
  const [is, wanted] = [one, other].map((value) =>
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)),
  )
  return is === wanted ? [] : [`${title}: ${is}\nis not ${wanted}`]
}

/** Waiting Services that would be given something if only they were asked. */
function couldHave({ world }: Cluster): string[] {
  return [...world.waiting.keys()].flatMap((key) => {
    const { intent } = decideService(world, key)
    const held = world.holdingOf(key)?.ips ?? []
    return intent.ips.length > held.length ? [`${key} could have ${intent.ips}`] : []
  })
}

/** Who waited, and whose address went to one that did not ask for it; quotas go by age alone. */
function passedOver({ cluster: { world }, before }: Moment): string[] {
  const had = new Set([...before.services.values()].flatMap(({ ips }) => ips))
  return [...world.waiting.keys()].flatMap((key) => {
    const { intent, lacks } = decideService(world, key)
    const service = world.services.get(key)
    const was = before.services.get(key)
    const isNew = was === undefined || was.uid !== service?.uid || was.ips.length > 0
    const hasQuota = (intent.wait?.tenant ?? '') !== ''
    if (isNew || hasQuota || lacks?.reason !== 'address-taken') return []
    const lost = (intent.wait?.addresses ?? []).filter((ip) => !had.has(ip))
    return lost.flatMap((ip) =>
      [...(world.ledger.slot(ip)?.holders.keys() ?? [])]
        .filter((holder) => takesAny(world, holder, ip))
        .map((holder) => `${holder} took ${ip}, for which ${key} waited`),
    )
  })
}

function takesAny(world: Cluster['world'], holder: string, ip: string): boolean {
  const { asksByField = '', asksByAnnotation = '' } = world.services.get(holder) ?? {}
  const isReserved = world.reservationsFor(holder).some(({ address }) => address === ip)
  return asksByField === '' && asksByAnnotation === '' && !isReserved
}

/** Services on which something else would be written if they were looked at again. */
function outdated({ world }: Cluster): string[] {
  return [...world.services.keys()].flatMap((key) => {
    const { write } = decideService(world, key)
    return write === undefined ? [] : [`${key} should say ${JSON.stringify(write)}`]
  })
}

function outcomeOf(objects: readonly object[]) {
  const cluster = new Cluster(gate, settings)
  for (const json of objects) {
    const applied = cluster.apply({ ...json })
    if (!applied.ok) throw new Error(`refused ${JSON.stringify([json, applied.errors])}`)
  }
  cluster.settle()
  const services = [...snapshotOf(cluster).services.values()]
  return services.map(({ key, ips, pool }) => [key, ips, pool]).sort()
}
