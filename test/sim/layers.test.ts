// Does what is decided stand beside what is seen? While decisions are pending and views change under
// them, every kept index is compared with one computed from the views and the decisions alone.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import type { Key } from '../../src/core/model/service.ts'
import type { World } from '../../src/core/model/world.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { ip, pool, service, worldOf } from '../build/announcing.ts'
import { namespaceOf, serviceNames } from '../build/randomObjects.ts'
import { history, take } from '../build/randomSteps.ts'
import { digestOf, reread } from './digest.ts'

const gate = gatesOf(await readCrds())('native')

type Act = { readonly service: Key; readonly ips: readonly Ip[] | 'drop' }

const addresses = ['10.0.0.0', '10.0.0.1', '10.0.0.4', 'fd00::', '10.9.0.10']
const act: fc.Arbitrary<Act> = fc.record({
  service: fc.constantFrom(...serviceNames).map((name) => `${namespaceOf(name)}/${name}`),
  ips: fc.oneof(
    fc.subarray(addresses, { maxLength: 2 }).map((ips) => ips.map(ip)),
    fc.constant('drop' as const),
  ),
})

function enter(world: World, { service, ips }: Act): void {
  if (ips === 'drop') world.apply({ type: 'drop', service })
  else world.apply({ type: 'intent', intent: { service, ips, wait: undefined } })
}

/** The terms are those of the moment: whoever has changed since is decided anew. */
function decideAgain(world: World): Act[] {
  const pending = [...world.services.keys()].flatMap((service): Act[] => {
    const decided = world.pendingOf(service)
    return decided === undefined ? [] : [{ service, ips: decided.ips }]
  })
  for (const one of pending) enter(world, one)
  return pending.filter(({ service }) => world.pendingOf(service) !== undefined)
}

/** Who of several has a port twice depends on who came first, and is asked only if nobody has. */
const held = (world: World) => {
  const { waiting: _, slots, ...rest } = digestOf(world)
  return { ...rest, slots: slots.map((slot) => (slot.isMixed ? { ...slot, ports: [] } : slot)) }
}

test('[P8] pending decisions and what is seen are kept as computed from nothing', () => {
  let compared = 0
  const property = fc.property(history, fc.array(act, { minLength: 5 }), (steps, acts) => {
    const cluster = new Cluster(gate, settings)
    const { length } = steps
    for (const step of steps.slice(0, length / 2)) take(cluster, step)
    cluster.settle()
    // Which records were deleted cannot be told from how things stand (R3.15).
    cluster.world.apply({ type: 'adoption', isOver: false })
    for (const [at, one] of acts.entries()) {
      enter(cluster.world, one)
      const step = steps[Math.floor(length / 2) + at]
      if (step !== undefined && step.type !== 'restart') take(cluster, step)
      const pending = decideAgain(cluster.world)
      const fresh = reread(cluster.world)
      for (const decided of pending) enter(fresh, decided)
      expect(held(cluster.world)).toEqual(held(fresh))
      compared += pending.length
      for (const key of cluster.world.services.keys()) enter(fresh, { service: key, ips: 'drop' })
      expect(held(fresh)).toEqual(held(reread(cluster.world)))
    }
  })
  fc.assert(property, { seed: 20_260_301, numRuns: 60, endOnFailure: true })
  expect(compared).toBeGreaterThan(100)
})

const [one, two] = ['10.0.0.0', '10.0.0.1'].map(ip) as [Ip, Ip]
const ipsOf = (world: World) => world.holdingOf('default/web')?.ips
const decide = (ips: readonly Ip[]) =>
  ({ type: 'intent', intent: { service: 'default/web', ips, wait: undefined } }) as const

test('[R3.12] a decision counts whatever a late watch shows, until it is dropped', () => {
  const world = worldOf(pool('p', ['10.0.0.0/30']), service('web', []))
  world.apply(decide([one]))
  world.apply({ type: 'upsert', view: service('web', [], { resourceVersion: '2' }) })
  expect(ipsOf(world)).toEqual([one])
  world.apply({ type: 'upsert', view: service('web', [two], { resourceVersion: '3' }) })
  expect([ipsOf(world), world.holdersOf(two)]).toEqual([[one], []])
  world.apply({ type: 'drop', service: 'default/web' })
  expect([ipsOf(world), world.holdersOf(one)]).toEqual([[two], []])
})

test('[R3.12] a Service made again under its name inherits no decision', () => {
  const world = worldOf(pool('p', ['10.0.0.0/30']), service('web', []))
  world.apply(decide([one]))
  world.apply({ type: 'upsert', view: service('web', [], { uid: 'another' }) })
  expect([ipsOf(world), world.pendingOf('default/web')]).toEqual([undefined, undefined])
})

test('[R3.9] a status of another counts as soon as it lies in a pool, and no longer than that', () => {
  const world = worldOf(service('web', ['10.0.0.0']))
  expect(ipsOf(world)).toBe(undefined)
  world.apply({ type: 'upsert', view: pool('p', ['10.0.0.0/30']) })
  expect(ipsOf(world)).toEqual([one])
  world.apply({ type: 'delete', kind: 'IPAddressPool', key: 'p' })
  expect(ipsOf(world)).toBe(undefined)
})

test('[R3.12] a decision that can be seen is over: what another leader claims next counts', () => {
  const web = service('web', [])
  const world = worldOf(pool('p', ['10.0.0.0/30']), web)
  world.apply(decide([]))
  const holder = { ...web, kind: 'Service' }
  const record = { uid: 'u', resourceVersion: '1', isOurs: true, note: '', pool: 'p' }
  world.apply({
    type: 'upsert',
    view: {
      ...record,
      kind: 'Address',
      name: '10.0.0.0',
      address: one,
      reservedFor: undefined,
      sharingKey: '',
      holders: [holder],
    },
  })
  expect(ipsOf(world)).toEqual([one])
})
