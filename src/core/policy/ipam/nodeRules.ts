// May a host have this address (R12.2, R12.3)? The rules that decide are those that explain.

import { yieldsTo } from '../../model/ipam/heldAddresses.ts'
import { forNode, type NodeRefusal, notForNode } from '../../model/ipam/nodeReason.ts'
import { liesIn, special } from '../../model/ipam/subnetLedger.ts'
import type { NetConfig } from '../../model/wires.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { type Rule, rule } from '../rule.ts'
import { type OnWire, whoElse } from './nodeElsewhere.ts'
import { hostText } from './nodeProblems.ts'

export type NodeCandidate = OnWire & {
  readonly config: NetConfig
  /** namespace/name of the IPSet. */
  readonly key: string
  readonly isForPod: boolean
  /** By the same IPSet on other networks of the wire. */
  readonly taken: ReadonlySet<Ip>
  readonly ip: Ip
}
type NodeRule = Rule<NodeCandidate, NodeRefusal>

const isNotItsOwn: NodeRule = rule('not-on-another-network', ({ taken, ip }) =>
  taken.has(ip)
    ? notForNode('node-address-taken', `the IPSet itself has ${ip} on another network`)
    : forNode,
)

const isInSubnet: NodeRule = rule('in-subnet', ({ subnet, ip }) =>
  liesIn(subnet, ip)
    ? forNode
    : notForNode('address-not-in-subnet', `${ip} is not in ${subnet.cidrText} of ${subnet.name}`),
)

const isNotExcluded: NodeRule = rule('not-excluded', ({ subnet, ip }) =>
  subnet.excluded.includes(ip)
    ? notForNode('address-excluded', `${ip} is in excludeAddresses of ${subnet.name}`)
    : forNode,
)

/** On one wire with another tenant, its ranges are its own (P7). */
const isNotAnothers: NodeRule = rule(
  'not-of-another-tenant',
  ({ world, namespace, wire, ip }) =>
    world.nodes.links.isAnothers(wire, namespace, ip)
      ? notForNode('address-of-another-tenant', `${ip} is in a range of another tenant`)
      : forNode,
  { concerns: ({ wire }) => !wire.startsWith('namespace/') },
)

const isFree: NodeRule = rule('free', ({ world, wire, key, ip }) => {
  for (const held of world.nodes.held.each(wire, ip)) {
    if (held.key === key || yieldsTo(held, key)) continue
    return notForNode('node-address-taken', `${hostText(world, key, held.key)} has ${ip}`)
  }
  return forNode
})

const isOrdinary: NodeRule = rule(
  'not-special',
  ({ subnet, ip }) =>
    special(subnet).includes(ip)
      ? notForNode(
          'node-address-in-use',
          `${ip} is a gateway, a next hop, or an end of ${subnet.cidrText}`,
        )
      : forNode,
  { concerns: ({ config }) => !config.skipsAsUpstream },
)

const isNotForPods: NodeRule = rule(
  'not-for-pods',
  ({ subnet, ip }) =>
    subnet.sticky.some((range) => contains(range, ip))
      ? notForNode('node-address-in-use', `${ip} is in the sticky range, which is for pods`)
      : forNode,
  { concerns: ({ isForPod }) => !isForPod },
)

const isUnused: NodeRule = rule(
  'not-in-use-elsewhere',
  (candidate) => {
    const who = whoElse(candidate, candidate.ip)
    return who === undefined
      ? forNode
      : notForNode('node-address-in-use', `${candidate.ip}: ${who}`)
  },
  { concerns: ({ config }) => !config.skipsAsUpstream },
)

/** In this order; the first objection is the reason. */
export const nodeRules: readonly NodeRule[] = [
  isNotItsOwn,
  isInSubnet,
  isNotExcluded,
  isNotAnothers,
  isNotForPods,
  isFree,
  isOrdinary,
  isUnused,
]
