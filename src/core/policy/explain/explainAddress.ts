// Whose is an address? Its pool and holders, who reserved it, who else has it, waits, announces.
import type { Key } from '../../model/service.ts'
import type { ReadonlySlot } from '../../model/slot.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { nameOfAddress } from '../../net/addressName.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { parseRange } from '../../net/range.ts'
import { type Announcement, advertiseAt, momentOf, type Speakers } from '../announce/advertise.ts'
import { type Silence, silenceOf } from '../announce/silence.ts'
import { type NearPool, poolsNear } from './explainNear.ts'
import { type Waiter, waitersFor } from './explainWaiting.ts'
import { holdersOnWires, type WireHolder } from './holdersOnWires.ts'

export type AddressExplanation = {
  readonly address: Ip
  /** What its Address object is or would be called (R3). */
  readonly object: string
  readonly isFound: boolean
  readonly pool?: string
  /** In the pool's ranges, but avoidBuggyIPs leaves it out. */
  readonly isAvoided: boolean
  readonly holders: readonly Holder[]
  readonly reservation?: { readonly reservedFor?: Key; readonly note: string }
  /** The objects that have it on a wire. */
  readonly elsewhere: readonly string[]
  /** Hosts and pods, on each wire. */
  readonly wires: readonly WireHolder[]
  readonly waiters: readonly Waiter[]
  readonly announcements: readonly Announcement[]
  /** Why nobody announces it, by each holder; empty if somebody does or nobody can tell. */
  readonly silence: readonly Silence[]
  /** Only where it is nowhere. */
  readonly near: readonly NearPool[]
}
/** The terms of R3.11. */
export type Holder = {
  readonly service: Key
  readonly ports: readonly string[]
  readonly sharingKey: string
  readonly backend: string
  readonly tenant: string
}

export function explainAddress(
  world: ReadonlyWorld,
  speakers: Speakers,
  address: Ip,
): AddressExplanation {
  const slot = world.ledger.slot(address)
  const avoiding = world.ledger.avoidedBy(address)
  const pool = world.poolOf(address) ?? avoiding
  const wires = holdersOnWires(world, address)
  const waiters = waitersFor(world, ({ wait }) => wait.addresses.includes(address))
  const isThere = pool !== undefined || slot !== undefined || wires.length > 0
  return {
    address,
    object: nameOfAddress(address),
    isFound: isThere || waiters.length > 0,
    ...(pool !== undefined && { pool: pool.name }),
    isAvoided: avoiding !== undefined,
    holders: holdersIn(slot),
    ...reservationIn(slot),
    elsewhere: usersIn(slot),
    wires,
    waiters,
    ...announcedAt(world, speakers, address),
    near: isThere ? [] : poolsNear(world, address),
  }
}

const holdersIn = (slot: ReadonlySlot | undefined): Holder[] =>
  (slot?.holders.values() ?? [])
    .map(({ key, ports, sharingKey, backend, tenant }) => ({
      service: key,
      ports,
      sharingKey,
      backend,
      tenant,
    }))
    .sort((one, other) => (one.service < other.service ? -1 : 1))

function reservationIn(slot: ReadonlySlot | undefined): Pick<AddressExplanation, 'reservation'> {
  if (slot?.reservation === undefined) return {}
  const { reservedFor, note } = slot.reservation
  return { reservation: { ...(reservedFor !== undefined && { reservedFor }), note } }
}

/** What a speaker reports of its node is the node's. */
function usersIn(slot: ReadonlySlot | undefined): string[] {
  const names = [...(slot?.elsewhere ?? [])].map((name) => name.replace(/^NodeInterfaces/, 'Node'))
  return [...new Set(names)].sort()
}

function announcedAt(
  world: ReadonlyWorld,
  speakers: Speakers,
  address: Ip,
): Pick<AddressExplanation, 'announcements' | 'silence'> {
  const moment = momentOf(world, speakers)
  const told = world.holdersOf(address).map((key) => ({ key, ...advertiseAt(moment, key) }))
  const announcements = told
    .flatMap((one) => one.announcements)
    .filter((one) =>
      one.protocol === 'layer2' ? one.address === address : covers(one.prefix, address),
    )
  if (announcements.length > 0) return { announcements, silence: [] }
  const silence = told.flatMap((one) => silenceOf(moment, one.key, one) ?? [])
  return { announcements, silence }
}

function covers(prefix: string, address: Ip): boolean {
  const range = parseRange(prefix)
  return range.ok && contains(range.value, address)
}
