// What becomes of an IPSet? Its addresses count at once, then the Reservation that records them,
// then the status that tells them (R12.5).
import type { IpSet } from '../../model/ipam/ipSet.ts'
import { nodeRemedies } from '../../model/ipam/nodeReason.ts'
import type { NodeWait } from '../../model/ipam/nodeWait.ts'
import { pointing } from '../../model/pointer.ts'
import { problemRemedies } from '../../model/problem.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Write } from '../../model/write.ts'
import type { NodeDecision } from '../claims.ts'
import type { EventWrite, HostDecider } from '../decider.ts'
import { allocateNode, type Denied, type Granted, isGranted, type Outcome } from './allocateNode.ts'
import {
  deniedText,
  grantedText,
  isDenial,
  reservationMessage,
  statusAfter,
  statusWithout,
} from './ipSetStatus.ts'
import { alsoReserved } from './nodeProblems.ts'
import type { NodeTrace } from './nodeTrace.ts'
import { reservationOf } from './reservationOf.ts'

export const ipSets: HostDecider = {
  name: 'ipsets',
  kind: 'IPSet',
  reads: ['IPSet'],
  wakes: 'node-queue',
  isClaimed: 'hosts',
  decide: (world, key, now = '') => decideIpSet(world, key, { now }),
}

type More = { readonly now: string; readonly trace?: NodeTrace }

export function decideIpSet(world: ReadonlyWorld, key: string, { now, trace }: More): NodeDecision {
  const ipSet = world.all('IPSet').get(key)
  if (ipSet === undefined) return { writes: [], events: [] }
  if (ipSet.isGoing) return { writes: farewell(world, ipSet), events: [] }
  const [config] = world.nodes.configsIn(ipSet.namespace)
  if (config === undefined) {
    const why = `NetConfig missing in namespace ${ipSet.namespace}`
    const status = statusWithout(ipSet, why, now)
    return { writes: status === undefined ? [] : [status], events: [] }
  }
  const outcomes = allocateNode({ world, ipSet, config }, trace)
  return decideWith(world, { ipSet, outcomes, now })
}

type Allocated = {
  readonly ipSet: IpSet
  readonly outcomes: readonly Outcome[]
  readonly now: string
}

function decideWith(world: ReadonlyWorld, { ipSet, outcomes, now }: Allocated): NodeDecision {
  const granted = outcomes.filter(isGranted)
  const denied = outcomes.filter((one): one is Denied => !isGranted(one))
  const reservation = reservationOf(ipSet, world.all('Reservation').get(ipSet.key), granted)
  const twice = twiceText(world, ipSet, granted)
  const status = statusAfter(ipSet, { outcomes, twice }, now)
  return {
    nodeIntent: {
      ipSet: ipSet.key,
      addresses: granted.map(({ place, address }) => ({ network: place.network.name, address })),
      wait: waitFor(outcomes),
    },
    writes: [
      ...(reservation === undefined ? [] : [{ type: 'apply', object: reservation } as const]),
      ...(status === undefined ? [] : [status]),
    ],
    events: [
      ...eventsOf(ipSet, denied, granted),
      ...(denied.length > 0 ? [] : saidTwice(ipSet, twice)),
    ],
  }
}

/** What was given before us to another host as well stays, and is said on both (R12.13). */
function twiceText(world: ReadonlyWorld, ipSet: IpSet, granted: readonly Granted[]): string {
  const { key, namespace } = ipSet
  return granted
    .flatMap(({ place, address }) => {
      const wire = world.nodes.wireOf(namespace, place.network.name)
      const others = alsoReserved(world, { wire, address, key })
      return others === ''
        ? []
        : [`${place.network.name} ${address} is also reserved for ${others}`]
    })
    .map((text) => `node-address-twice: ${text}`)
    .join('; ')
}

function saidTwice({ status }: IpSet, twice: string): readonly EventWrite[] {
  if (twice === '' || reservationMessage(status.conditions) === grantedText(twice)) return []
  const message = `${twice}. Remedy: ${problemRemedies['node-address-twice']}`
  return [{ type: 'Warning', reason: 'AddressTwice', message }]
}

function waitFor(outcomes: readonly Outcome[]): NodeWait | undefined {
  const denied = outcomes.filter((one): one is Denied => !isGranted(one))
  const subnets = denied.flatMap(({ subnet }) => subnet ?? [])
  const addresses = denied.flatMap(({ address }) => address ?? [])
  return subnets.length + addresses.length === 0 ? undefined : { subnets, addresses }
}

/**
 * Said once for each reason, and once when an IPSet that was told one has its addresses. Whoever
 * gets them at once reads that in the status: an event for each host would be a third write.
 */
function eventsOf(
  { key, status }: IpSet,
  denied: readonly Denied[],
  granted: readonly Granted[],
): readonly EventWrite[] {
  const before = reservationMessage(status.conditions)
  if (denied.length > 0) {
    const message = deniedText(denied)
    const remedies = new Set(denied.map(({ refusal }) => nodeRemedies[refusal.reason]))
    const told = pointing(`${message}. Remedy: ${[...remedies].join('; ')}`, 'ipset', key)
    const failed = { type: 'Warning', reason: 'ReservationFailed', message: told } as const
    return message === before ? [] : [failed]
  }
  const fresh = granted.filter(({ isKept }) => !isKept)
  if (fresh.length === 0 || !isDenial(before)) return []
  const message = fresh.map(({ place, address }) => `${place.network.name} ${address}`).join(', ')
  return [{ type: 'Normal', reason: 'Reserved', message }]
}

/** Upstream's, and the older one of the seed: nothing of ours hangs on them (R12.10). */
const finalizers = ['openstack.org/ipset', 'IPSet']

/** An object that goes is let go, and its Reservation with it. */
function farewell(world: ReadonlyWorld, ipSet: IpSet): Write[] {
  const { namespace, name } = ipSet
  const reservation = world.all('Reservation').get(ipSet.key)
  const found = (one: { readonly finalizers: readonly string[] } | undefined) =>
    finalizers.filter((finalizer) => one?.finalizers.includes(finalizer))
  const of = [
    { kind: 'Reservation', theirs: found(reservation) },
    { kind: 'IPSet', theirs: found(ipSet) },
  ]
  return of
    .filter(({ theirs }) => theirs.length > 0)
    .map(({ kind, theirs }) => ({
      type: 'unfinalize',
      of: { kind, namespace, name },
      finalizers: theirs,
    }))
}
