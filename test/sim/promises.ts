// Which promise is broken, and by whom? Each answers with sentences; none means that it holds.
import { recordAt, textAt } from '../../src/core/model/json.ts'
import type { Step } from '../build/randomSteps.ts'
import type { SeenService, Snapshot } from './snapshot.ts'

/** Those who have an address of ours, or none: what the status shows beside that is another's. */
const ours = ({ services }: Snapshot): SeenService[] =>
  [...services.values()].filter(
    ({ isOurs, ips, pool }) => isOurs && (pool !== '' || ips.length === 0),
  )

function* pairs<T>(items: readonly T[]): Generator<[T, T]> {
  for (const [index, one] of items.entries()) {
    for (const other of items.slice(index + 1)) yield [one, other]
  }
}

/** P1: no address is held by two Services that may not share it. */
export function heldTwice(now: Snapshot): string[] {
  const broken: string[] = []
  for (const [one, other] of pairs(ours(now))) {
    const common = one.ips.filter((ip) => other.ips.includes(ip))
    const why = common.length === 0 ? undefined : apartness(one, other)
    if (why !== undefined) broken.push(`${one.key} and ${other.key} both hold ${common}: ${why}`)
  }
  return broken
}

function apartness(one: SeenService, other: SeenService): string | undefined {
  if (one.sharingKey === '' || other.sharingKey === '') return 'one has no sharing key'
  if (one.sharingKey !== other.sharingKey) return 'their keys differ'
  if (one.backend !== other.backend) return 'their policies or selectors differ'
  if (one.ports.some((port) => other.ports.includes(port))) return 'they use one port'
  const areClear = one.whose !== undefined && other.whose !== undefined
  return areClear && one.whose !== other.whose ? 'they are of different tenants' : undefined
}

/** R3.1, R3.10: an Address for each address that is held, with its holders, and no other. */
export function misrecorded(now: Snapshot): string[] {
  const held = new Map<string, string[]>()
  for (const { ips, key, uid } of ours(now)) {
    for (const ip of ips) held.set(ip, [...(held.get(ip) ?? []), `${key} ${uid}`])
  }
  const missing = [...held].flatMap(([ip, holders]) => {
    const recorded = now.addresses.get(ip)?.holders ?? []
    const isRight = [...recorded].sort().join() === holders.sort().join()
    return isRight ? [] : [`${ip} is held by ${holders}, its Address says ${recorded}`]
  })
  const stray = [...now.addresses.values()]
    .filter(({ ip, isOurs, isReserved, holders }) => {
      const isKept = isReserved || !isOurs
      return held.has(ip) ? false : holders.length > 0 || !isKept
    })
    .map(
      ({ ip, holders }) => `the Address of ${ip} has nobody, or holders it should not: ${holders}`,
    )
  return [...missing, ...stray]
}

/** P2: what a step does not concern keeps what it has; it may gain a second address. */
export function movedByOthers(before: Snapshot, now: Snapshot, step: Step): string[] {
  const concerned = concernedBy(before, now, step)
  return ours(before).flatMap((was) => {
    const is = now.services.get(was.key)
    if (was.ips.length === 0 || concerned.has(was.key)) return []
    const isKept = was.ips.every((ip, index) => is?.ips[index] === ip)
    return isKept ? [] : [`${was.key} had ${was.ips} and has ${is?.ips}`]
  })
}

/** The Services that the step may take an address from. */
function concernedBy(before: Snapshot, now: Snapshot, step: Step): Set<string> {
  if (step.type === 'restart') return new Set()
  const id = step.type === 'delete' ? step.id : idOf(step.json)
  const [kind = '', first = '', second = ''] = id.split('/')
  const matching = (isConcerned: (service: SeenService) => boolean) =>
    [...before.services.values(), ...now.services.values()].filter(isConcerned)
  switch (kind) {
    case 'Service':
      return new Set([`${first}/${second}`])
    case 'IPAddressPool':
      return keysOf(matching(({ pool }) => pool === second))
    case 'Namespace':
      return withSharers(
        before,
        matching(({ key }) => key.startsWith(`${first}/`)),
      )
    case 'Tenant':
      return withSharers(
        before,
        matching(
          ({ key, pool }) =>
            isOfTenant(before, first, key, pool) || isOfTenant(now, first, key, pool),
        ),
      )
    default:
      return new Set()
  }
}

/** Where two tenants claim one namespace it is unclear whose it is: either's change counts. */
function isOfTenant({ services, pools }: Snapshot, tenant: string, key: string, pool: string) {
  const whose = services.get(key)?.whose
  return whose === undefined || whose === tenant || pools.get(pool)?.tenant === tenant
}

const keysOf = (services: readonly SeenService[]) => new Set(services.map(({ key }) => key))

/** R4.8: of those who share, who belongs with the pool keeps the address, whoever has moved. */
function withSharers({ services }: Snapshot, concerned: readonly SeenService[]): Set<string> {
  const ips = new Set(concerned.flatMap((service) => services.get(service.key)?.ips ?? []))
  const sharers = [...services.values()].filter((one) => one.ips.some((ip) => ips.has(ip)))
  return keysOf([...concerned, ...sharers])
}

function idOf({ kind, metadata }: Readonly<Record<string, unknown>>): string {
  const { namespace, name } = metadata as { namespace?: string; name: string }
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`
}

/** P2: what a restart writes, which is nothing. */
export function rewritten(before: Snapshot, now: Snapshot): string[] {
  const ids = new Set([...before.versions.keys(), ...now.versions.keys()])
  return [...ids]
    .filter((id) => before.versions.get(id) !== now.versions.get(id))
    .map((id) => `${id} was written anew`)
}

/** What nobody had shown before the step: only that is a gift, the rest was kept or adopted. */
function giftsTo(before: Snapshot, step: Step, { key, ips }: SeenService): string[] {
  const shown = [...(before.services.get(key)?.ips ?? []), ...shownBy(step)]
  return ips.filter((ip) => !shown.includes(ip))
}

/** What another controller wrote into a status that comes with the step. */
function shownBy(step: Step): string[] {
  if (step.type !== 'apply') return []
  const { ingress } = recordAt(recordAt(step.json, 'status'), 'loadBalancer')
  return Array.isArray(ingress) ? ingress.map((entry) => textAt(entry, 'ip')) : []
}

/** R4.9: whoever is given an address that the tenant had not leaves it within its quota. */
export function overQuota(before: Snapshot, now: Snapshot, step: Step): string[] {
  return [...now.tenants.values()].flatMap(({ name, quota }) => {
    const members = ours(now).filter(({ whose }) => whose === name)
    const used = new Set(members.flatMap(({ ips }) => ips))
    if (used.size <= quota) return []
    return members.flatMap((member) =>
      giftsTo(before, step, member)
        .filter((ip) => !wasTheirs(before, members, ip))
        .map((ip) => `${member.key} got ${ip}: ${name} has ${used.size} of ${quota}`),
    )
  })
}

const wasTheirs = ({ services }: Snapshot, members: readonly SeenService[], ip: string): boolean =>
  members.some(({ key }) => services.get(key)?.ips.includes(ip) === true)

/** P7: a tenant's pools are for its Services, and its Services use no others. */
export function overTheFence(before: Snapshot, now: Snapshot, step: Step): string[] {
  return ours(now).flatMap((service) => {
    const { key, ips, pool: name, whose } = service
    const pool = now.pools.get(name)
    if (ips.length === 0 || pool === undefined) return []
    if (whose === undefined || (pool.tenant !== '' && !now.tenants.has(pool.tenant))) {
      const gifts = giftsTo(before, step, service)
      return gifts.map((ip) => `${key} got ${ip} of ${name} while it is unclear whose`)
    }
    if (pool.tenant !== '' && pool.tenant !== whose) {
      return [`${key} of ${whose || 'none'} holds ${ips} of ${pool.tenant}'s pool ${name}`]
    }
    const mayUseOpen = whose === '' || now.tenants.get(whose)?.openPools === true
    if (pool.tenant === '' && !mayUseOpen) return [`${key} of ${whose} holds ${ips} of ${name}`]
    return []
  })
}

/** Once every Service is gone: nothing is counted, and only what people reserved is left. */
export function notReleased(now: Snapshot): string[] {
  return [
    ...[...now.pools.values()]
      .filter(({ assigned }) => assigned > 0)
      .map(({ name, assigned }) => `pool ${name} still counts ${assigned}`),
    ...[...now.tenants.values()]
      .filter(({ used }) => used > 0)
      .map(({ name, used }) => `tenant ${name} still counts ${used}`),
    ...misrecorded(now),
  ]
}
