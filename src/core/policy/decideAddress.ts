// Which Address object should there be for an address (R3.1, R3.10)? What the controller records is
// put right, what people wrote is kept.
import {
  type AddressView,
  type Holder,
  hasSameTerms,
  isSameHolder,
  sharedWith,
} from '../model/address.ts'
import { apiGroups, apiVersionOf } from '../model/apiGroups.ts'
import type { Changed } from '../model/changed.ts'
import { byName, holderIn } from '../model/holderIn.ts'
import { managed } from '../model/made.ts'
import type { ServiceView } from '../model/service.ts'
import type { Claim } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Write } from '../model/write.ts'
import { nameOfAddress } from '../net/addressName.ts'
import type { Ip } from '../net/ip.ts'
import type { AddressWrite, Recorded } from './claims.ts'
import type { RecordDecider } from './decider.ts'
import { isConfirmed, isOutranked } from './precedence.ts'

const addressesWoken = (changed: Changed): readonly Ip[] =>
  changed.type === 'use' && changed.kind === 'Address' ? [changed.key] : []

export const addresses: RecordDecider = {
  name: 'addresses',
  kind: 'Address',
  reads: ['Address'],
  wakes: addressesWoken,
  isClaimed: 'records',
  record: decideAddress,
  decide(world, ip: Ip) {
    const write = decideAddress(world, ip)
    return { writes: write === undefined ? [] : [addressWrite(write)] }
  },
}

export function addressWrite(write: AddressWrite): Extract<Write, { type: 'apply' | 'delete' }> {
  const { name } = write
  if (write.type === 'delete') return { type: 'delete', of: { kind: 'Address', name } }
  const { address, pool, sharingKey, holders } = write.spec
  const object = {
    apiVersion: apiVersionOf(apiGroups.berth),
    kind: 'Address',
    metadata: { name, labels: write.isOurs ? managed : {} },
    spec: { address, pool, sharingKey, sharedWith: sharedWith(holders), holders },
  }
  return { type: 'apply', object }
}

function decideAddress(world: ReadonlyWorld, ip: Ip): AddressWrite | undefined {
  const name = nameOfAddress(ip)
  const before = world.all('Address').get(name)
  const all = world.ledger.slot(ip)?.holders.values() ?? []
  const confirmed = all.filter((claim) => isConfirmed(world, ip, claim))
  const claims = confirmed.filter((claim) => !isOutranked(world, ip, claim))
  const right = new Set(claims)
  // One that holds it may not have the terms that were decided for it: it is decided again first.
  const others = confirmed.filter((claim) => !right.has(claim))
  if (others.some(({ key }) => isNamed(before, world.services.get(key)))) return undefined
  const spec = recorded(world, { ip, before }, claims)
  const isReserved = before !== undefined && (before.reservedFor !== undefined || !before.isOurs)
  if (spec.holders.length === 0 && !isReserved) {
    return before === undefined ? undefined : { type: 'delete', name }
  }
  if (before !== undefined && isRight(before, spec)) return undefined
  return { type: 'put', name, isOurs: before?.isOurs ?? true, spec }
}

type Record = { readonly ip: Ip; readonly before: AddressView | undefined }

function recorded(world: ReadonlyWorld, of: Record, claims: readonly Claim[]): Recorded {
  const holders = claims.flatMap((claim) => holderOf(world, claim)).sort(byName)
  const pool = holders.length === 0 ? '' : poolOf(world, of, claims)
  return { address: of.ip, pool, sharingKey: claims[0]?.sharingKey ?? '', holders }
}

const isNamed = (before: AddressView | undefined, service: ServiceView | undefined): boolean =>
  service !== undefined && holderIn(before?.holders ?? [], service) !== undefined

/** Where that cannot be read now, it is what was recorded. */
function poolOf(world: ReadonlyWorld, { ip, before }: Record, claims: readonly Claim[]): string {
  if (before !== undefined && world.lost.isLost(before)) return before.pool
  const service = world.services.get(claims[0]?.key ?? '')
  if (service !== undefined && world.inert.isInDoubt(service)) return world.inert.poolOf(service)
  return world.poolOf(ip)?.name ?? (service === undefined ? '' : world.lost.poolOf(service))
}

function holderOf(world: ReadonlyWorld, { key, ports, backend }: Claim): Holder[] {
  const service = world.services.get(key)
  if (service === undefined) return []
  const { namespace, name, uid } = service
  return [{ kind: 'Service', namespace, name, uid, ports, backend }]
}

const isRight = (before: AddressView, spec: Recorded): boolean =>
  before.pool === spec.pool &&
  before.sharingKey === spec.sharingKey &&
  (before.sharedWith ?? '') === sharedWith(spec.holders) &&
  before.holders.length === spec.holders.length &&
  before.holders.every((holder, at) => isRecordedAs(holder, spec.holders[at]))

const isRecordedAs = (holder: Holder, other: Holder | undefined): boolean =>
  other !== undefined && isSameHolder(holder, other) && hasSameTerms(holder, other)
