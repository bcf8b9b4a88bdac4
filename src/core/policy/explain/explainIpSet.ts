// Why does a host have its addresses, or lack one (R12.7)? For each network what it has and since
// when, or the first objection; for an address that it names, what every rule says.
import type { IpSet, NetworkRequest } from '../../model/ipam/ipSet.ts'
import { nodeRemedies } from '../../model/ipam/nodeReason.ts'
import type { NetConfig } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { allocateNode, isGranted, type Outcome } from '../ipam/allocateNode.ts'
import type { RuleResult } from '../rule.ts'

export type IpSetExplanation = {
  readonly ipSet: string
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
  const [config] = world.nodes.configsIn(ipSet.namespace)
  if (config === undefined) return { ipSet: key, networks: [] }
  const outcomes = allocateNode({ world, ipSet, config })
  const networks = outcomes.map((outcome) => explained(outcome, rulesOf(world, ipSet, config)))
  const wires = outcomes.map(({ request }) => world.nodes.wireOf(ipSet.namespace, request.name))
  return { ipSet: key, netConfig: config.key, wire: [...new Set(wires)].join(', '), networks }
}

type AskRules = (request: NetworkRequest) => readonly RuleResult[]

const rulesOf =
  (world: ReadonlyWorld, ipSet: IpSet, config: NetConfig): AskRules =>
  (request) => {
    const heard: RuleResult[] = []
    if (request.fixedText === '') return heard
    allocateNode({ world, ipSet: { ...ipSet, requests: [request] }, config }, (result) => {
      heard.push(result)
    })
    return heard
  }

function explained(outcome: Outcome, rules: AskRules): ExplainedNetwork {
  const { request } = outcome
  const place = { network: request.name, subnet: request.subnetName, rules: rules(request) }
  if (isGranted(outcome)) return { ...place, address: outcome.address }
  const { reason, message } = outcome.refusal
  return { ...place, refused: { reason, message, remedy: nodeRemedies[reason] } }
}
