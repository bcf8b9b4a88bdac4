// In which order is a prefix renumbered, so that each Service changes once and to the same offset?
// Pin who would be moved elsewhere and keep its target free, put the new ranges beside the old
// ones, move, take the old away. Begun again in the middle, it goes on or back from there.
import { isRecord, type Json } from '../../model/json.ts'
import { parseIp } from '../../net/ip.ts'
import type { Cluster } from '../cluster.ts'
import { reservations } from './renumberAddress.ts'
import { isOwned, leftOver } from './renumberLeft.ts'
import { movedPool, wrongIn } from './renumberPool.ts'
import { canBeTrue, originOf, unfinished, unrecorded } from './renumberRecord.ts'
import { askingAgain, asksInside, type Held, pinnedTo, placesOf } from './renumberService.ts'
import { type MovedTenant, movedTenant } from './renumberTenant.ts'
import type { Phase, Refused, RenumberWrite } from './renumberWrite.ts'
import { type Shift, shiftedIps } from './shift.ts'

type Renumbering = {
  readonly phases: readonly Phase[]
  readonly refused: readonly Refused[]
  /** Where each Service that has or had an address ends up. */
  readonly targets: ReadonlyMap<string, string>
  /** Objects with addresses of the prefix that are not Berth's to move. */
  readonly left: readonly string[]
}

type Raw = readonly [id: string, json: Json]

export function renumberPhases(cluster: Cluster, shift: Shift): Renumbering {
  const of = (kind: string): readonly Raw[] =>
    cluster
      .ids()
      .filter((id) => id.startsWith(`${kind}/`))
      .sort()
      .map((id) => [id, plain(cluster.get(id) ?? {})] as const)
  const { tenants, refused } = tenantsOf(shift, of('Tenant'))
  const ownPools = of('IPAddressPool').filter(([, json]) => !isOwned(json))
  const pools = ownPools.map(([id, json]) => movedPool(shift, id, json))
  const raws = of('Service').map((service) => withTrueRecord(cluster, service))
  const services = raws.flatMap((service) => serviceOf(cluster, shift, service))
  const named = of('DNSData').filter(([, json]) => !isOwned(json))
  const texts = [...of('OpenStackControlPlane'), ...named].flatMap((one) => movedTexts(shift, one))
  const addresses = of('Address')
  // A Tenant that translates reads requests that it may have ignored until then.
  const isPinned = ({ tenant, ips }: Held): boolean => ips !== '' && tenants.has(`Tenant/${tenant}`)
  const pinned = services.filter(isPinned)
  const moving = services.filter((one) => one.ips !== one.target || isBegun(one))
  const again = services.filter(
    (one) => moving.includes(one) || pinned.includes(one) || asksInside(shift, one.json),
  )
  // One that moves with a Tenant asks for the target, so it comes before those without (R2.4).
  const alone = moving.filter((one) => !isPinned(one))
  const reserved = reservations(cluster, shift, { addresses, moving: alone })
  refused.push(
    ...ownPools.flatMap(([id, json]) => wrongIn(shift, id, json)),
    ...[...raws, ...of('Tenant'), ...addresses].flatMap(([id, json]) =>
      unfinished(shift, id, json),
    ),
    ...reserved.refused,
  )
  const phases: Phase[] = [
    {
      title: 'Reserve and pin',
      writes: [...reserved.early, ...pinned.map((one) => pinnedTo(shift, one, one.ips))],
    },
    {
      title: 'Add the new ranges',
      writes: [
        ...pools.flatMap(({ wide }) => wide),
        ...[...tenants.values()].flatMap(({ translating }) => translating),
      ],
    },
    {
      title: 'Move',
      writes: [
        ...moving.flatMap((one) => [
          pinnedTo(shift, one, one.target),
          ...reserved.releasedBy(one.id),
        ]),
        ...texts,
      ],
    },
    {
      title: 'Remove the old ranges',
      takesAway: true,
      writes: [
        ...pools.flatMap(({ narrow }) => narrow),
        ...[...tenants.values()].map(({ final }) => final),
        ...reserved.late,
      ],
    },
    { title: 'Ask as before', writes: again.map((one) => askingAgain(shift, one)) },
  ]
  const placed = services.filter(({ target }) => target !== '')
  const targets = new Map(placed.map(({ id, target }) => [id.slice('Service/'.length), target]))
  return { phases, refused, targets, left: leftOver(cluster, shift) }
}

function tenantsOf(shift: Shift, raws: readonly Raw[]) {
  const refused: Refused[] = []
  const tenants = new Map<string, MovedTenant>()
  for (const [id, json] of raws) {
    const moved = movedTenant(shift, id, json)
    if (moved !== undefined && 'message' in moved) refused.push(moved)
    else if (moved !== undefined) tenants.set(id, moved)
  }
  return { tenants, refused }
}

/** What the API keeps is not ours to write. */
function plain({ status: _, ...json }: Json): Json {
  return json
}

const isBegun = ({ json, target }: Held): boolean => target !== '' && originOf(json) !== undefined

/** A record that cannot be true is none. */
function withTrueRecord({ world }: Cluster, [id, json]: Raw): Raw {
  const key = id.slice('Service/'.length)
  const ips = (world.holdingOf(key)?.ips ?? []).join(',')
  const isFree = (text: string): boolean => {
    const ip = parseIp(text)
    return ip.ok && world.holdersOf(ip.value).length === 0
  }
  return [id, canBeTrue(json, ips, isFree) ? json : unrecorded(json)]
}

/** None if the Service is not ours. */
function serviceOf({ world }: Cluster, shift: Shift, [id, json]: Raw): readonly Held[] {
  const key = id.slice('Service/'.length)
  const view = world.services.get(key)
  if (view === undefined || !world.isOurs(view)) return []
  const belonging = world.tenantOf(view)
  const ips = (world.holdingOf(key)?.ips ?? []).join(',')
  const tenant = belonging.kind === 'tenant' ? belonging.name : ''
  return [{ id, json, ips, ...placesOf(shift, json, ips), tenant }]
}

/** Addresses that an object pins or names, wherever they stand in it. */
function movedTexts(shift: Shift, [id, json]: Raw): readonly RenumberWrite[] {
  const change = (before: Json | undefined): Json | undefined =>
    before && { ...before, spec: movedIn(shift, before['spec']) }
  const isSame = JSON.stringify(movedIn(shift, json['spec'])) === JSON.stringify(json['spec'])
  return isSame ? [] : [{ id, what: 'its addresses follow', change }]
}

const pins = ['metallb.io/loadBalancerIPs', 'metallb.universe.tf/loadBalancerIPs', 'ip']

function movedIn(shift: Shift, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => movedIn(shift, one))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    pins.includes(key) && typeof one === 'string' ? shiftedIps(shift, one) : movedIn(shift, one),
  ])
  return Object.fromEntries(entries)
}
