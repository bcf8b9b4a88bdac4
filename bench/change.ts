// What does a change cost with many addresses in use? A pool edit, a start, churn in a full pool.
import type { AddressView } from '../src/core/model/address.ts'
import type { ServiceView } from '../src/core/model/service.ts'
import { World } from '../src/core/model/world.ts'
import { pool, service, worldOf } from '../test/build/announcing.ts'
import { tenant } from '../test/build/wires.ts'
import { expectHeld, fill } from './fill.ts'
import { type Measured, timed } from './measure.ts'
import { servicesFrom, settle, type Terms } from './town.ts'

const [tenants, perTenant] = [50, 200]

/**
 * Groups of four Services of a tenant have one key and different ports, so they share an address.
 */
export function ofFiftyTenants(): Measured {
  const world = worldOf(
    ...Array.from({ length: tenants }, (_, number) =>
      tenant(`t${number}`, {
        cidrs: [`10.${number}.0.0/16`],
        loadBalancer: [`10.${number}.1.0/24`],
      }),
    ),
  )
  const terms = (number: number): Terms => {
    const namespace = `t${number % tenants}`
    const turn = Math.floor(number / tenants)
    const key = `${namespace}/s${number}`
    const sharingKey = `k${Math.floor(turn / 4)}`
    return { namespace, key, sharingKey, ports: [`TCP/${80 + (turn % 4)}`] }
  }
  const figures = fill(world, [1_000, tenants * perTenant], terms)
  for (let number = 0; number < tenants; number++) {
    expectHeld(world, `t${number}-internalapi`, perTenant / 4)
  }
  return { figures, alive: world }
}

/** One more range: every Service is checked again and keeps its address. */
export function poolEdit(): Measured {
  const count = 10_000
  const world = worldOf(pool('p', ['10.0.0.0/16']))
  fill(world, [count])
  let decided = 0
  const time = timed(() => {
    world.apply({ type: 'upsert', view: pool('p', ['10.0.0.0/16', '10.1.0.0/24']) })
    decided = settle(world)
  })
  if (decided !== count) throw new Error(`${decided} Services were decided`)
  expectHeld(world, 'p', count)
  return { figures: [{ what: count.toLocaleString('en'), count, ...time }], alive: world }
}

/** From the objects alone: Services with their status, and an Address for each. */
export function start(): Measured {
  const count = 10_000
  const before = worldOf(pool('p', ['10.0.0.0/16']))
  fill(before, [count])
  const services = [...before.services.values()].map((view): ServiceView => {
    const ingress = before.holdingOf(view.key)?.ips ?? []
    const addressed = { status: 'True', reason: 'Addressed', message: '' }
    return { ...view, ingress, recordedPool: 'p', addressed }
  })
  const world = new World(before)
  const time = timed(() => {
    world.apply({ type: 'upsert', view: pool('p', ['10.0.0.0/16']) })
    for (const view of services) {
      world.apply({ type: 'upsert', view })
      for (const ip of view.ingress) world.apply({ type: 'upsert', view: addressOf(view, ip) })
    }
    settle(world)
  })
  expectHeld(world, 'p', count)
  return { figures: [{ what: count.toLocaleString('en'), count, ...time }], alive: world }
}

function addressOf(view: ServiceView, address: AddressView['address']): AddressView {
  const { namespace, name, uid, ports, backend } = view
  return {
    kind: 'Address',
    name: address,
    uid: `uid-of-${address}`,
    resourceVersion: '1',
    address,
    isOurs: true,
    reservedFor: undefined,
    note: '',
    pool: 'p',
    sharingKey: '',
    holders: [{ kind: 'Service', namespace, name, uid, ports, backend }],
  }
}

const holders = 1_024
const waiters = 10_000

/** A full /22 and ten times as many waiting: each deleted holder lets the oldest in. */
function churn(turns: number, terms: (number: number) => Terms): Measured {
  const world = worldOf(pool('p', ['10.0.0.0/22']))
  fill(world, [holders + waiters], terms)
  const fresh = servicesFrom(holders + waiters, turns, terms)
  const time = timed(() => {
    for (const [turn, view] of fresh.entries()) {
      const { key } = service(nameOf(turn), [])
      world.apply({ type: 'delete', kind: 'Service', key })
      world.apply({ type: 'upsert', view })
      settle(world)
    }
  })
  expectHeld(world, 'p', holders)
  if (world.holdingOf(`default/${nameOf(holders + turns - 1)}`) === undefined) {
    throw new Error('the oldest did not get the address')
  }
  return { figures: [{ what: turns.toLocaleString('en'), count: turns, ...time }], alive: world }
}

const nameOf = (number: number): string => `s${String(number).padStart(7, '0')}`

export const churnOneLine = (): Measured => churn(5_000, () => ({}))

/** Every waiting Service has its own key, so each is checked by itself. */
export const churnOwnLines = (): Measured => churn(50, (number) => ({ sharingKey: `k${number}` }))
