// How do reservations move, and what keeps a target free for its Service until it is there?
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import { type Json, recordAt, textAt } from '../../model/json.ts'
import { managed } from '../../model/made.ts'
import { nameOfAddress } from '../../net/addressName.ts'
import { parseIp } from '../../net/ip.ts'
import type { Cluster } from '../cluster.ts'
import { originOf, recorded, unrecorded } from './renumberRecord.ts'
import { unseen } from './renumberSeen.ts'
import type { Held } from './renumberService.ts'
import type { Refused, RenumberWrite } from './renumberWrite.ts'
import { type Shift, shiftedIp } from './shift.ts'

type Raw = readonly [id: string, json: Json]

type Reservations = {
  readonly early: readonly RenumberWrite[]
  /** When this Service has its target: nobody is in the way of those who share it. */
  readonly releasedBy: (service: string) => readonly RenumberWrite[]
  readonly late: readonly RenumberWrite[]
  readonly refused: readonly Refused[]
}

type Given = { readonly addresses: readonly Raw[]; readonly moving: readonly Held[] }

/** Of those who move, targets are kept free until they are there, and old addresses to the end. */
export function reservations(
  cluster: Cluster,
  shift: Shift,
  { addresses, moving }: Given,
): Reservations {
  const moved = addresses.flatMap((address) => movedReservation(cluster, shift, address))
  const kept = new Set(moved.flatMap(({ id, write }) => [id, write.id]))
  const leaving = moving.filter(({ ips, target }) => ips !== target)
  const isFree = ({ id }: MovedAddress): boolean => !kept.has(id)
  const targets = movedIn(leaving, ({ target, ips }) => [target, ips])
    .filter(isFree)
    .filter(
      ({ id, service }) => isOurs(cluster.get(id)) || reservedFor(cluster.get(id)) !== service,
    )
  const sources = movedIn(leaving, ({ target, ips }) => [ips, target]).filter(isFree)
  const marked = addresses.filter(([, json]) => isOurs(json)).map(([id]) => id)
  const late = new Set([...marked, ...sources.map(({ id }) => id)])
  for (const { id } of targets) late.delete(id)
  return {
    early: [
      ...moved.map(({ write }) => write),
      ...[...targets, ...sources].map((place) => reserve(shift, place)),
    ],
    releasedBy: (service) =>
      targets.filter((target) => target.service === service).map(({ id }) => release(id)),
    late: [
      ...[...late].map(release),
      ...moved.map(({ id }) => ({ id, what: 'no longer reserved', change: () => undefined })),
    ],
    refused: [
      ...targets.flatMap((target) => inTheWay(cluster.get(target.id), target)),
      ...moved.flatMap((one) => one.refused),
    ],
  }
}

type MovedAddress = { readonly id: string; readonly ip: string; readonly service: string }

/** For the first of those who share it: once it is there, only they can join. */
function movedIn(
  moving: readonly Held[],
  of: (held: Held) => readonly [ips: string, others: string],
): readonly MovedAddress[] {
  const places = new Map<string, MovedAddress>()
  for (const held of moving) {
    const [ips, others] = of(held)
    for (const text of ips.split(',').filter((one) => !others.split(',').includes(one))) {
      const ip = parseIp(text)
      if (!ip.ok) continue
      const id = `Address/${nameOfAddress(ip.value)}`
      if (!places.has(id)) places.set(id, { id, ip: ip.value, service: held.id })
    }
  }
  return [...places.values()]
}

const reservedFor = (json: Json | undefined): string => {
  const { namespace, name } = recordAt(recordAt(json, 'spec'), 'reservedFor')
  return name === undefined ? '' : `Service/${namespace}/${name}`
}

/** One that we made, for this. */
const isOurs = (json: Json | undefined): boolean => json !== undefined && !!originOf(json)

const isMade = (json: Json): boolean =>
  recordAt(recordAt(json, 'metadata'), 'labels')['app.kubernetes.io/managed-by'] === 'berth'

/** A reservation of somebody else, which we leave as it is. */
const isAnothers = (json: Json | undefined): boolean =>
  json !== undefined && !isOurs(json) && (reservedFor(json) !== '' || !isMade(json))

function inTheWay(there: Json | undefined, { id, service }: MovedAddress): readonly Refused[] {
  if (!isAnothers(there)) return []
  const whom = reservedFor(there) || 'nobody'
  const message = `it is reserved for ${whom}, and ${service} would move there: delete one of them`
  return [{ id, path: 'spec.reservedFor', message }]
}

function reserve(shift: Shift, { id, ip, service }: MovedAddress): RenumberWrite {
  const [, namespace, name] = service.split('/')
  return {
    id,
    what: `reserved for ${namespace}/${name} while it moves`,
    change(before) {
      const there = before ?? {
        ...{ apiVersion: apiVersionOf(apiGroups.berth), kind: 'Address' },
        metadata: { name: id.slice('Address/'.length), labels: { ...managed } },
      }
      const spec = { ...recordAt(there, 'spec'), address: ip, ...unseen }
      const whom = { reservedFor: { namespace, name } }
      return recorded(shift, { ...there, spec: { ...spec, ...whom } }, {})
    },
  }
}

/** The controller deletes it if nobody holds it (R3.1). */
const release = (id: string): RenumberWrite => ({
  id,
  what: 'no longer reserved',
  change(before) {
    if (!isOurs(before) || before === undefined) return before
    const { reservedFor: _, ...spec } = recordAt(before, 'spec')
    return unrecorded({ ...before, spec })
  },
})

type MovedReservation = {
  readonly id: string
  readonly write: RenumberWrite
  readonly refused: readonly Refused[]
}

/** There before anybody can take it. */
function movedReservation(
  cluster: Cluster,
  shift: Shift,
  [id, json]: Raw,
): readonly MovedReservation[] {
  const address = parseIp(textAt(recordAt(json, 'spec'), 'address'))
  if (!address.ok || !isAnothers(json)) return []
  const moved = parseIp(shiftedIp(shift, address.value))
  if (!moved.ok || moved.value === address.value) return []
  const { world } = cluster
  const whom = reservedFor(json)
  const holder = [...world.services.keys()]
    .filter((key) => world.holdingOf(key)?.ips.includes(address.value))
    .find((key) => `Service/${key}` !== whom)
  const write = reservedAt(moved.value, json)
  const there = cluster.get(write.id)
  const path = 'spec.reservedFor'
  const refused: Refused[] = []
  if (holder !== undefined) {
    const message = `${holder} holds it, and it is for ${whom || 'nobody'}: delete the reservation`
    refused.push({ id, path, message })
  }
  if (isAnothers(there) && reservedFor(there) !== whom) {
    const message = `it is reserved for ${reservedFor(there) || 'nobody'}, and ${id} for another`
    refused.push({ id: write.id, path, message })
  }
  return [{ id, write, refused }]
}

function reservedAt(address: string, { apiVersion, kind, spec }: Json): RenumberWrite {
  const { reservedFor: whom, note } = recordAt({ spec }, 'spec')
  const wanted = {
    address,
    ...(whom === undefined ? {} : { reservedFor: whom }),
    ...(note === undefined ? {} : { note }),
    ...unseen,
  }
  const ip = parseIp(address)
  const name = ip.ok ? nameOfAddress(ip.value) : address
  return {
    id: `Address/${name}`,
    what: 'reserved',
    change(before) {
      if (before === undefined) return { apiVersion, kind, metadata: { name }, spec: wanted }
      const metadata = recordAt(before, 'metadata')
      const { 'app.kubernetes.io/managed-by': _, ...labels } = recordAt(metadata, 'labels')
      const there = { ...before, metadata: { ...metadata, labels } }
      return unrecorded({ ...there, spec: { ...recordAt(before, 'spec'), ...wanted } })
    },
  }
}
