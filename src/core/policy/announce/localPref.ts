// Do advertisements ask for two local preferences of one route? Then no node knows which is meant.
import type { BgpAdvertisement } from '../../model/announcing.ts'
import type { Problem } from '../../model/problem.ts'
import type { ServiceView } from '../../model/service.ts'
import { objectOf } from '../../model/view.ts'
import { familyOf, type Ip } from '../../net/ip.ts'
import type { Ground } from './ground.ts'

export type Conflict = {
  readonly pair: readonly [BgpAdvertisement, BgpAdvertisement]
  /** Those that both select; not empty. */
  readonly nodes: ReadonlySet<string>
}

export const lengthFor = (by: BgpAdvertisement, ip: Ip): number =>
  familyOf(ip) === 'IPv4' ? by.aggregationLength : by.aggregationLengthV6

/** Among advertisements that serve the Service of these addresses (M6.1). */
export function conflictsAmong(
  { nodesOf }: Ground,
  advertisements: readonly BgpAdvertisement[],
  ingress: readonly Ip[],
): Conflict[] {
  const conflicts: Conflict[] = []
  for (const [at, one] of advertisements.entries()) {
    for (const other of advertisements.slice(at + 1)) {
      if (one.localPref === other.localPref || !meet(one, other, ingress)) continue
      const nodes = [...nodesOf(one)].filter((node) => nodesOf(other).has(node))
      if (nodes.length > 0) conflicts.push({ pair: [one, other], nodes: new Set(nodes) })
    }
  }
  return conflicts
}

/** Peers are compared as they are listed, whether or not they run on the nodes, as in MetalLB. */
function meet(one: BgpAdvertisement, other: BgpAdvertisement, ingress: readonly Ip[]): boolean {
  const haveRoute = ingress.some((ip) => lengthFor(one, ip) === lengthFor(other, ip))
  const meanAll = one.peers.length === 0 || other.peers.length === 0
  return haveRoute && (meanAll || one.peers.some((peer) => other.peers.includes(peer)))
}

/** On the Service, which is silent on those nodes, and on both advertisements. */
export function conflictProblems(service: ServiceView, { pair, nodes }: Conflict): Problem[] {
  const [one, other] = pair
  const clash = `BGPAdvertisements ${one.name} and ${other.name} ask for different localPrefs`
  const silent = `not announced by BGP on ${[...nodes].join(', ')}: ${clash}`
  return [
    { ...error, object: objectOf(service), message: silent },
    { ...error, object: objectOf(one), field, message: against(one, other) },
    { ...error, object: objectOf(other), field, message: against(other, one) },
  ]
}

const error = { code: 'localpref-conflict', severity: 'error' } as const
const field = 'spec.localPref'

const against = (one: BgpAdvertisement, other: BgpAdvertisement): string =>
  `asks for ${one.localPref} where BGPAdvertisement ${other.name} asks for ${other.localPref}: ` +
  'no Service of both is announced by BGP where they meet'
