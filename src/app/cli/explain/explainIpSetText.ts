// How are the addresses of a host explained to people?
import { counted } from '../../../core/net/counted.ts'
import type {
  ExplainedNetwork,
  IpSetExplanation,
} from '../../../core/policy/explain/explainIpSet.ts'
import { page, type Row, rows } from './explainPage.ts'

export function ipSetText(explained: IpSetExplanation): string {
  const { netConfig, wire, networks } = explained
  return page(
    [titleOf(explained)],
    [
      {
        title: 'Defined by',
        lines: rows([
          ['NetConfig', netConfig ?? ''],
          ['wire', wire ?? ''],
        ]),
      },
      { title: 'On each network', lines: rows(networks.flatMap(networkRows)) },
    ],
  )
}

function titleOf({ ipSet, isGoing, netConfig, networks }: IpSetExplanation): string {
  if (isGoing) return `IPSet ${ipSet} is being deleted`
  if (netConfig === undefined) return `IPSet ${ipSet} waits: its namespace has no NetConfig`
  const lacking = networks.filter(({ refused }) => refused !== undefined).length
  if (lacking === 0) return `IPSet ${ipSet} has an address on every network`
  return `IPSet ${ipSet} lacks an address on ${lacking} of ${counted(networks.length, 'network')}`
}

function networkRows({ network, subnet, address, refused, rules }: ExplainedNetwork): Row[] {
  const head = `${network} ${subnet}`
  if (refused === undefined) return [[head, address ?? '']]
  const others = rules.filter(({ ok, message }) => !ok && message !== refused.message)
  return [
    [head, `${refused.reason}: ${refused.message}`],
    ...others.map(({ rule, message }): Row => ['', `also ${rule}: ${message}`]),
    ['', `remedy: ${refused.remedy}`],
  ]
}
