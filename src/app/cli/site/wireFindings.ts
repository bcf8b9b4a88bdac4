// What do the answers on the wire say about a move? Whose each address is, and what stands in the
// way of it.
import { counted } from '../../../core/net/counted.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'

type Answers = ReadonlyMap<Ip, ReadonlySet<Mac>>

export type WireSeen = {
  readonly vips: readonly Ip[]
  readonly gateways: readonly Ip[]
  readonly external: Answers
  readonly internal: Answers
  /** What the nodes are known to have. */
  readonly nodes: readonly { readonly macs: readonly string[]; readonly addresses: readonly Ip[] }[]
  /** What could not be asked in the internal network. */
  readonly unasked: Pick<WireFinding, 'text' | 'remedy'> | undefined
}

export type WireFinding = {
  readonly word:
    | 'vip-in-use'
    | 'no-gateway'
    | 'node-address-taken'
    | 'stranger'
    | 'internal-not-asked'
  /** Whether nothing is applied while it is so. */
  readonly isFatal: boolean
  readonly text: string
  readonly remedy: string
}

/** What stands in the way first. */
export function wireFindings(seen: WireSeen): readonly WireFinding[] {
  const { vips, gateways, external, internal, nodes, unasked } = seen
  const ours = new Set(nodes.flatMap(({ macs }) => macs))
  const strangersFor = (answers: Answers, ip: Ip) =>
    [...(answers.get(ip) ?? [])].filter((mac) => !ours.has(mac)).sort()
  const taken = vips.flatMap((ip): WireFinding[] => {
    const macs = strangersFor(external, ip)
    if (macs.length === 0) return []
    return [
      {
        word: 'vip-in-use',
        isFatal: true,
        text: `${ip} is in use: ${macs.join(', ')} answers for it`,
        remedy: 'choose another address, or remove it from that machine',
      },
    ]
  })
  const silent = gateways
    .filter((ip) => (external.get(ip)?.size ?? 0) === 0)
    .map(
      (ip): WireFinding => ({
        word: 'no-gateway',
        isFatal: true,
        text: `the gateway ${ip} does not answer`,
        remedy: 'correct the gateway, or check the cable and the VLAN of the external network',
      }),
    )
  return [
    ...taken,
    ...silent,
    ...internalFindings(internal, nodes, ours),
    ...(unasked === undefined
      ? []
      : [{ word: 'internal-not-asked' as const, isFatal: false, ...unasked }]),
  ]
}

function internalFindings(
  internal: Answers,
  nodes: WireSeen['nodes'],
  ours: ReadonlySet<string>,
): readonly WireFinding[] {
  // Of a node that does not report its interfaces only the address is known.
  const stated = new Set(nodes.flatMap(({ addresses }) => addresses))
  const reporting = nodes.filter(({ macs }) => macs.length > 0)
  const reported = new Set(reporting.flatMap(({ addresses }) => addresses))
  const answered = [...internal].map(([ip, macs]) => {
    const foreign = [...macs].filter((mac) => !ours.has(mac)).sort()
    return { ip, foreign, isNodes: stated.has(ip) }
  })
  const twice = answered
    .filter(({ ip, foreign }) => reported.has(ip) && foreign.length > 0)
    .map(
      ({ ip, foreign }): WireFinding => ({
        word: 'node-address-taken',
        isFatal: true,
        text: `${foreign.join(', ')} answers for ${ip}, which a node of the cluster has`,
        remedy: 'keep the internal network apart from others, on a switch or VLAN of its own',
      }),
    )
  const strangers = answered.filter(({ foreign, isNodes }) => !isNodes && foreign.length > 0)
  if (strangers.length === 0) return twice
  const some = strangers.slice(0, 5).map(({ ip, foreign }) => `${ip} (${foreign[0]})`)
  const more = strangers.length > 5 ? `, and ${strangers.length - 5} more` : ''
  const count = counted(strangers.length, 'machine')
  const verb = strangers.length === 1 ? 'is not a node' : 'are not nodes'
  return [
    ...twice,
    {
      word: 'stranger',
      isFatal: false,
      text: `${count} in the internal network ${verb}: ${some.join(', ')}${more}`,
      remedy: 'make sure that they belong there; the internal network is best kept apart',
    },
  ]
}
