// What does the status of an IPSet say? What it has on each network, in the order of the request
// with the control plane first, and for what it lacks the reason (R12.7).
import type { JsonObject } from '../../model/gate.ts'
import type { IpSet, LibCondition } from '../../model/ipam/ipSet.ts'
import { isSame } from '../../model/sameView.ts'
import type { StatusWrite } from '../../model/write.ts'
import { familyOf } from '../../net/ip.ts'
import { conditionsAfter, type Said, saidError, saidTrue, saidUnknown } from '../libConditions.ts'
import { type Denied, type Granted, isGranted, type Outcome } from './allocateNode.ts'

const inputComplete = saidTrue('Input data complete')
const notStarted = saidUnknown('Reservation create not started')

/** `twice` tells what another host has as well; empty for nothing. */
export const grantedText = (twice: string): string =>
  `Reservation successful${twice === '' ? '' : `; ${twice}`}`

/** Undefined if the status is already right. */
export function statusAfter(
  ipSet: IpSet,
  { outcomes, twice }: { readonly outcomes: readonly Outcome[]; readonly twice: string },
  now: string,
): StatusWrite | undefined {
  const denied = outcomes.filter((one): one is Denied => !isGranted(one))
  const reserved =
    denied.length === 0 ? saidTrue(grantedText(twice)) : saidError(deniedText(denied))
  const reservations = byControlPlane(outcomes.filter(isGranted)).map(reservationOf)
  const said = { InputReady: inputComplete, ReservationReady: reserved }
  return writeOf(ipSet, { said, reservations, now })
}

/** Without a NetConfig nothing is known: what it was told stays (P2). */
export function statusWithout(ipSet: IpSet, why: string, now: string): StatusWrite | undefined {
  const said = { InputReady: saidError(why), ReservationReady: notStarted }
  const { reservations } = ipSet.status
  return writeOf(ipSet, { said, reservations, now })
}

const denial = 'Reservation error occured '

export const isDenial = (message: string): boolean => message.startsWith(denial)

export const deniedText = (denied: readonly Denied[]): string =>
  `${denial}${denied
    .map(({ request, refusal }) => `${request.name}: ${refusal.reason}: ${refusal.message}`)
    .join('; ')}`

type Told = {
  readonly said: Readonly<Record<string, Said>>
  readonly reservations: readonly JsonObject[]
  readonly now: string
}

function writeOf(ipSet: IpSet, { said, reservations, now }: Told): StatusWrite | undefined {
  const { namespace, name, generation, status } = ipSet
  const conditions = conditionsAfter(status.conditions, said, now)
  const isTold =
    isSame(conditions, status.conditions) &&
    isSame(reservations, status.reservations) &&
    generation === status.observedGeneration
  if (isTold) return undefined
  const fields = {
    conditions,
    reservations,
    ...(generation === 0 ? {} : { observedGeneration: generation }),
  }
  return { type: 'status', of: { kind: 'IPSet', namespace, name }, fields }
}

const isControlPlane = ({ place }: Granted): boolean =>
  place.network.serviceNetwork.toLowerCase() === 'ctlplane'

const byControlPlane = (granted: readonly Granted[]): readonly Granted[] => [
  ...granted.filter(isControlPlane),
  ...granted.filter((one) => !isControlPlane(one)),
]

function reservationOf({ request, place, address }: Granted): JsonObject {
  const { network, subnet } = place
  const { vlan, gatewayText: gateway } = subnet
  const routes = subnet.routes.map(({ destination, nexthop }) => ({ destination, nexthop }))
  if (request.defaultRoute === true && gateway !== '') {
    const destination = familyOf(address) === 'IPv4' ? '0.0.0.0/0' : '::/0'
    routes.push({ destination, nexthop: gateway })
  }
  return {
    network: network.name,
    subnet: subnet.name,
    address,
    cidr: subnet.cidrText,
    ...(vlan === undefined ? {} : { vlan }),
    mtu: network.mtu,
    ...(gateway === '' ? {} : { gateway }),
    ...(routes.length === 0 ? {} : { routes }),
    dnsDomain: subnet.dnsDomain || network.dnsDomain,
    serviceNetwork: network.serviceNetwork,
  }
}

/** What a user was told of it last. */
export const reservationMessage = (conditions: readonly LibCondition[]): string =>
  conditions.find(({ type }) => type === 'ReservationReady')?.message ?? ''
