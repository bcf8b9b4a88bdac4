// What do the World's indexes hold? Everything as plain values, so that two Worlds can be compared.

import type { Kind } from '../../src/core/model/view.ts'
import { type ReadonlyWorld, World } from '../../src/core/model/world.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { decideService } from '../../src/core/policy/decideService.ts'
import { settings } from '../../src/core/sim/runScenario.ts'

const kinds = [
  'NetConfig',
  'Node',
  'NodeInterfaces',
  'Reservation',
  'Tenant',
  'Service',
  'EndpointSlice',
  'IPAddressPool',
  'Namespace',
  'Address',
] as const satisfies readonly Kind[]

/** Who holds what, what is decided and not seen yet, what is free, who waits, what tenants use. */
export function digestOf(world: ReadonlyWorld) {
  const slots = [...world.ledger.slots()].map((slot) => ({
    ip: slot.ip,
    pool: slot.pool?.pool.name,
    position: slot.position,
    holders: slot.holders.values().sort((a, b) => (a.key < b.key ? -1 : 1)),
    ports: [...slot.ports].sort(),
    group: slot.group,
    isMixed: slot.isMixed,
    reservation: slot.reservation?.reservedFor,
    elsewhere: [...slot.elsewhere].sort(),
    reflected: slot.reflected,
  }))
  return {
    slots: slots.sort((a, b) => (a.ip < b.ip ? -1 : 1)),
    pools: [...world.pools.keys()].sort().map((name) => poolDigest(world, name)),
    pending: [...world.services.keys()].sort().flatMap((key) => {
      const decided = world.pendingOf(key)
      return decided === undefined ? [] : [[key, decided.ips, decided.claim]]
    }),
    waiting: [...world.waiting.keys()].sort().map((key) => [key, world.waiting.lineKeyOf(key)]),
    tenants: [...world.all('Tenant').keys()].sort().map((name) => [name, world.use.used(name)]),
  }
}

function poolDigest(world: ReadonlyWorld, name: string) {
  const ledger = world.ledger.pool(name)
  const groups = new Set([...world.ledger.slots()].map(({ group }) => group))
  return (['IPv4', 'IPv6'] as const).map((family) => ({
    name,
    family,
    capacity: ledger?.capacity(family),
    held: ledger?.held(family),
    hasHeldBack: ledger?.hasHeldBack(family),
    lowestFree: ledger?.lowest(family, '', []),
    lowestShared: [...groups]
      .filter((group) => group !== '')
      .sort()
      .map((group): [string, (Ip | undefined)[]] => [
        group,
        [[], ['TCP/80'], ['TCP/443'], ['UDP/53'], ['TCP/80', 'UDP/53']].map((ports) =>
          ledger?.lowestShared(family, group, ports),
        ),
      ]),
  }))
}

type Order = 'as listed' | 'the other way round'

/** A World that has never known anything but how things stand, and has decided nothing yet. */
export function reread(world: ReadonlyWorld, order: Order = 'as listed'): World {
  const fresh = new World(settings)
  for (const kind of order === 'as listed' ? kinds : kinds.toReversed()) {
    const views = [...world.all(kind).values()]
    for (const view of order === 'as listed' ? views : views.reverse()) {
      fresh.apply({ type: 'upsert', view })
    }
  }
  return fresh
}

/** The same, and has looked at everybody once. */
export function rebuilt(world: World, order: Order): World {
  const fresh = reread(world, order)
  for (let key = fresh.queue.pop(); key !== undefined; key = fresh.queue.pop()) {
    fresh.apply({ type: 'intent', intent: decideService(fresh, key).intent })
  }
  return fresh
}
