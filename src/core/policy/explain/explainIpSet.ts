// Why does a host have its addresses, or lack one (R12.7)? What the decision says of each network,
// and for an address that it names, what every rule says.
import { nodeRemedies } from '../../model/ipam/nodeReason.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { isGranted, type Outcome } from '../ipam/allocateNode.ts'
import { decideIpSet } from '../ipam/decideIpSet.ts'
import { NodeTrace } from '../ipam/nodeTrace.ts'
import type { RuleResult } from '../rule.ts'

export type IpSetExplanation = {
  readonly ipSet: string
  /** It is being deleted, and gets nothing more. */
  readonly isGoing: boolean
  /** Absent where the namespace has none. */
  readonly netConfig?: string
  /** Of the networks that it asks for, with commas between. */
  readonly wire?: string
  readonly networks: readonly ExplainedNetwork[]
}
export type ExplainedNetwork = {
  readonly network: string
  readonly subnet: string
  readonly address?: string
  /** Absent where it has its address. */
  readonly refused?: { readonly reason: string; readonly message: string; readonly remedy: string }
  /** About the address that it asks for by `fixedIP`. */
  readonly rules: readonly RuleResult[]
}

export function explainIpSet(world: ReadonlyWorld, key: string): IpSetExplanation | undefined {
  const ipSet = world.all('IPSet').get(key)
  if (ipSet === undefined) return undefined
  const trace = new NodeTrace()
  decideIpSet(world, key, { now: '', trace })
  const [config] = world.nodes.configsIn(ipSet.namespace)
  const { isGoing, requests } = ipSet
  const wires = requests.map(({ name }) => world.nodes.wireOf(ipSet.namespace, name))
  return {
    ipSet: key,
    isGoing,
    ...(config && { netConfig: config.key, wire: [...new Set(wires)].join(', ') }),
    networks: (trace.outcomes ?? []).map((outcome) => explained(outcome, trace)),
  }
}

function explained(outcome: Outcome, trace: NodeTrace): ExplainedNetwork {
  const { request } = outcome
  const place = { network: request.name, subnet: request.subnetName, rules: trace.of(request) }
  if (isGranted(outcome)) return { ...place, address: outcome.address }
  const { reason, message } = outcome.refusal
  return { ...place, refused: { reason, message, remedy: nodeRemedies[reason] } }
}
