// Which address does an IPSet get on each of its networks (R12.1)? What it has it keeps, whatever
// became of the range; a network that fails does not keep the next from being tried.

import type { Held } from '../../model/ipam/heldAddresses.ts'
import type { IpSet, NetworkRequest } from '../../model/ipam/ipSet.ts'
import {
  type NetworkSubnet,
  type NodeSubnet,
  networkIn,
  subnetIn,
} from '../../model/ipam/nodePlan.ts'
import { type NodeRefusal, notForNode } from '../../model/ipam/nodeReason.ts'
import { podsId, subnetId } from '../../model/ipam/subnetIds.ts'
import { liesIn } from '../../model/ipam/subnetLedger.ts'
import type { NetConfig } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { ask } from '../rule.ts'
import { type NodeCandidate, nodeRules } from './nodeRules.ts'
import type { NodeTrace } from './nodeTrace.ts'

export type Granted = {
  readonly request: NetworkRequest
  readonly place: NetworkSubnet
  readonly address: Ip
  /** Whether it had it before. */
  readonly isKept: boolean
}
export type Denied = {
  readonly request: NetworkRequest
  readonly refusal: NodeRefusal
  /** What would help: a free address of this subnet, or this one. */
  readonly subnet?: string
  readonly address?: Ip
}
export type Outcome = Granted | Denied

export const isGranted = (outcome: Outcome): outcome is Granted =>
  'address' in outcome && 'place' in outcome

type Asking = { readonly world: ReadonlyWorld; readonly ipSet: IpSet; readonly config: NetConfig }

/** In the order of the request. A trace records every rule and changes no answer. */
export function allocateNode(asking: Asking, trace?: NodeTrace): readonly Outcome[] {
  const given = new Set<string>()
  const taken = new Set<Ip>()
  const outcomes = asking.ipSet.requests.map((request) => {
    const place = placeOf(asking.config, request)
    if ('refusal' in place) return place
    const name = place.network.name
    if (given.has(name)) {
      return {
        request,
        refusal: notForNode('network-twice', `network ${name} is requested twice`),
      }
    }
    given.add(name)
    const outcome = grantAt({ ...asking, trace, taken }, request, place)
    if (isGranted(outcome)) taken.add(outcome.address)
    return outcome
  })
  if (trace !== undefined) trace.outcomes = outcomes
  return outcomes
}

function placeOf(config: NetConfig, request: NetworkRequest): NetworkSubnet | Denied {
  const network = networkIn(config, request.name)
  if (network === undefined) {
    const what = `NetConfig ${config.key} has no network ${request.name}`
    return { request, refusal: notForNode('network-not-found', what) }
  }
  const subnet = subnetIn(network, request.subnetName)
  if (subnet !== undefined) return { network, subnet }
  const what = `network ${network.name} has no subnet ${request.subnetName}`
  return { request, refusal: notForNode('subnet-not-found', what) }
}

type Choosing = Asking & {
  readonly trace: NodeTrace | undefined
  /** By the same IPSet on other networks of the wire. */
  readonly taken: ReadonlySet<Ip>
}

function grantAt(choosing: Choosing, request: NetworkRequest, place: NetworkSubnet): Outcome {
  const kept = keptOf(choosing, request, place)
  if (kept !== undefined) return { request, place, address: kept, isKept: true }
  return request.fixedText === ''
    ? anyAddress(choosing, request, place)
    : fixedAddress(choosing, request, place)
}

/** As its Reservation says, or as its claim does where that was not finished, or is kept. */
function keptOf(asking: Asking, request: NetworkRequest, { network, subnet }: NetworkSubnet) {
  const { world, ipSet } = asking
  const name = network.name.toLowerCase()
  const reserved = world.all('Reservation').get(ipSet.key)
  const entry = reserved?.entries.find((one) => one.network.toLowerCase() === name)
  const isOwn = reserved?.ownerUid === ipSet.uid
  const fitting = { request, subnet, ipSet }
  const wire = world.nodes.wireOf(ipSet.namespace, name)
  const address = entry?.address
  if (address !== undefined && (isOwn || fits(fitting, address))) {
    // The tenant may have written it.
    if (world.nodes.mayHave({ wire, address, key: ipSet.key })) return address
  }
  const isIts = ({ wire: on, claim, address }: Held): boolean => {
    if (on !== wire || claim?.network.toLowerCase() !== name) return false
    if (claim.uid === ipSet.uid) return true
    // It was claimed by an IPSet of this name that is gone, even if the block still names it.
    const isKept = claim.gone !== '' || claim.keep !== ''
    return isKept && fits(fitting, address) && world.nodes.held.count(wire, address) === 1
  }
  return [...world.nodes.held.of(ipSet.key)].find(isIts)?.address
}

type Fitting = Pick<Asking, 'ipSet'> & {
  readonly request: NetworkRequest
  readonly subnet: NodeSubnet
}

/** What an earlier IPSet of the name had; only a new one can ask for something else. */
function fits({ request, subnet, ipSet }: Fitting, address: Ip): boolean {
  const { fixedText, fixedIP } = request
  // A pod and a host may have had the same name (R12.15).
  const isOfPods = subnet.sticky.some((range) => contains(range, address))
  const isAsked = fixedText === '' || fixedIP === address
  return isAsked && isOfPods === ipSet.isForPod && liesIn(subnet, address)
}

function candidate(choosing: Choosing, place: NetworkSubnet, ip: Ip): NodeCandidate {
  const { world, config, ipSet, taken } = choosing
  const { key, namespace, isForPod } = ipSet
  const wire = world.nodes.wireOf(namespace, place.network.name)
  return { world, config, namespace, key, isForPod, taken, wire, subnet: place.subnet, ip }
}

function fixedAddress(choosing: Choosing, request: NetworkRequest, place: NetworkSubnet): Outcome {
  const { fixedIP: ip, fixedText } = request
  if (ip === undefined) {
    const what = `fixedIP ${JSON.stringify(fixedText)} is not an address`
    return { request, refusal: notForNode('address-not-in-subnet', what) }
  }
  const refusal = ask(nodeRules, candidate(choosing, place, ip), choosing.trace?.on(request))
  return refusal === undefined
    ? { request, place, address: ip, isKept: false }
    : { request, refusal, address: ip }
}

/** The lowest of the first range that has one. */
function anyAddress(choosing: Choosing, request: NetworkRequest, place: NetworkSubnet): Outcome {
  const { world, ipSet } = choosing
  const whole = subnetId(ipSet.namespace, place.network.name, place.subnet.name)
  const id = ipSet.isForPod ? podsId(whole) : whole
  const ledger = world.nodes.subnet(id)
  for (const ip of offersOf(world, id)) {
    if (ask(nodeRules, candidate(choosing, place, ip)) === undefined) {
      return { request, place, address: ip, isKept: false }
    }
  }
  return { request, refusal: fullText(ipSet, place, ledger), subnet: id }
}

/** Addresses kept for hosts of other namespaces are used only if no other is left (R12.14). */
function* offersOf({ nodes }: ReadonlyWorld, id: string): Generator<Ip, void> {
  yield* nodes.subnet(id)?.free() ?? []
  yield* nodes.yielding(id)
}

function fullText(
  { isForPod }: IpSet,
  { network, subnet }: NetworkSubnet,
  ledger: { readonly held: number; readonly size: bigint } | undefined,
) {
  const [ranges, kind] = isForPod
    ? [subnet.sticky.length, 'sticky range']
    : [subnet.allocation.length, 'allocation range']
  const count = `${ledger?.held ?? 0} of ${ledger?.size ?? 0n} in use by IPSets`
  const what = ranges === 0 ? `no ${kind}` : `no free address (${count})`
  return notForNode('range-full', `${network.name} ${subnet.name} has ${what}`)
}
