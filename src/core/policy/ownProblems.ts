// What is wrong with annotations, reservations and tenants (R1.1, R2.1, R3.4, R3.6, R4.2, R4.3,
// R3.14)?
import type { AddressView } from '../model/address.ts'
import type { Problem } from '../model/problem.ts'
import { objectOf } from '../model/view.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { familyOf } from '../net/ip.ts'
import { poolsLost } from './poolsLost.ts'

export function ownProblems(world: ReadonlyWorld): Problem[] {
  return [
    ...annotationProblems(world),
    ...heldReservations(world),
    ...doubleReservations(world),
    ...namespacesClaimedTwice(world),
    ...unknownTenants(world),
    ...poolsLost(world),
  ]
}

function annotationProblems(world: ReadonlyWorld): Problem[] {
  return [...world.pools.values()].flatMap((pool) => {
    const bad: [string, string][] = pool.badServes.map((name) => [
      'berth.dev/serves',
      `${JSON.stringify(name)} is not a DNS label and is skipped`,
    ])
    if (!['', 'next', 'wait'].includes(pool.whenFull)) {
      const message = `${JSON.stringify(pool.whenFull)} is neither next nor wait: read as wait`
      bad.push(['berth.dev/when-full', message])
    }
    return bad.map(([name, message]) => ({
      code: 'bad-annotation' as const,
      severity: 'error' as const,
      object: objectOf(pool),
      field: `metadata.annotations[${name}]`,
      message,
    }))
  })
}

function heldReservations(world: ReadonlyWorld): Problem[] {
  return [...world.all('Address').values()].flatMap((view) => {
    if (view.isOurs && view.reservedFor === undefined) return []
    const others = world.holdersOf(view.address).filter((key) => key !== view.reservedFor)
    if (others.length === 0) return []
    const whom = view.reservedFor === undefined ? 'kept free' : `reserved for ${view.reservedFor}`
    const message = `${view.address} is ${whom}, but held by ${others.join(', ')}`
    return [problem('reservation-held', view, message)]
  })
}

function doubleReservations(world: ReadonlyWorld): Problem[] {
  const byService = new Map<string, AddressView[]>()
  for (const view of world.all('Address').values()) {
    if (view.reservedFor === undefined) continue
    const key = `${view.reservedFor} ${familyOf(view.address)}`
    byService.set(key, [...(byService.get(key) ?? []), view])
  }
  return [...byService.values()]
    .filter((views) => views.length > 1)
    .flatMap((views) => {
      const all = views
        .map(({ address }) => address)
        .sort()
        .join(', ')
      const message = `${all} are all reserved for ${views[0]?.reservedFor}`
      return views.map((view) => problem('reservation-twice', view, message))
    })
}

const problem = (
  code: 'reservation-held' | 'reservation-twice',
  view: AddressView,
  message: string,
): Problem => ({ code, severity: 'error', object: objectOf(view), message })

function namespacesClaimedTwice(world: ReadonlyWorld): Problem[] {
  const used = [...world.services.values()].map(({ namespace }) => namespace)
  const namespaces = new Set([...world.all('Namespace').keys(), ...used])
  return [...namespaces].sort().flatMap((namespace) => {
    const belonging = world.tenantOfNamespace(namespace)
    if (belonging.kind !== 'ambiguous') return []
    const message = `namespace ${namespace} is selected by ${belonging.names.join(' and ')}`
    return belonging.names.map((name) => ({
      code: 'namespace-claimed-twice' as const,
      severity: 'error' as const,
      object: `Tenant/${name}`,
      field: 'spec.namespaces.selector',
      message,
    }))
  })
}

function unknownTenants(world: ReadonlyWorld): Problem[] {
  return [...world.pools.values()]
    .filter(({ tenant }) => tenant !== '' && !world.all('Tenant').has(tenant))
    .map((pool) => ({
      code: 'unknown-tenant' as const,
      severity: 'error' as const,
      object: objectOf(pool),
      field: 'metadata.labels[berth.dev/tenant]',
      message: `there is no tenant ${pool.tenant}: the pool assigns no new addresses`,
    }))
}
