// How are the sessions that FRR has? What it says of each of our peers, in the words of sessions of
// the speaker's own: as status, figures and problems.
import type { BgpSessionStatus } from '../../../core/model/bgpSession.ts'
import { objectOf } from '../../../core/model/view.ts'
import type { Family } from '../../../core/net/ip.ts'
import type { Fitting, FrrPeer } from '../../../core/policy/frr/frrRouters.ts'
import type { Metric } from '../../../edge/kube/serve/metricsText.ts'
import { bfdMetrics, type MeasuredBfd } from '../bfd/bfdMetrics.ts'
import { bgpMetrics, type MeasuredBgp } from '../bgp/bgpMetrics.ts'
import { familyNotAgreed } from '../bgp/bgpProblems.ts'
import type { NodeProblem } from '../status/nodeReport.ts'
import type { FrrSaid, FrrShown } from './frrShown.ts'

type Parts = {
  readonly node: string
  readonly timestamp: () => string
  /** What FRR was asked for. */
  readonly routers: () => Fitting['routers']
}

type Known = FrrShown & {
  readonly name: string
  readonly peer: FrrPeer['peer']
  /** Those that FRR was asked to have activated. */
  readonly families: readonly Family[]
  readonly routes: number
  readonly since: string
}

const sameMs = 3_000

export class FrrSessions {
  readonly #parts: Parts
  /** Since when each is as it is, by name. */
  readonly #since = new Map<string, { readonly isUp: boolean; readonly at: string }>()
  #known: readonly Known[] = []
  #bfd: readonly MeasuredBfd[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Undefined: their state is unknown, so none is reported. */
  saw(said: FrrSaid | undefined): void {
    this.#bfd = said?.bfd ?? []
    this.#known = said === undefined ? [] : this.#peersIn(said)
    for (const name of this.#since.keys()) {
      if (!this.#known.some((one) => one.name === name)) this.#since.delete(name)
    }
  }

  #peersIn(said: FrrSaid): readonly Known[] {
    const { routers } = this.#parts
    const neighbours = routers().flatMap((router) => router.neighbours)
    return neighbours.map(({ peer, where, families, routes }) => {
      const found = said.neighbours.find((one) => one.vrf === peer.vrf && one.where === where)
      const shown = found ?? { vrf: peer.vrf, where, state: 'Idle', bfd: 'N/A' }
      const since = this.#sinceOf(peer.name, shown)
      return { ...shown, peer, name: peer.name, families, routes: routes.length, since }
    })
  }

  /** FRR reckons it anew each time, and is a second off now and then: that is no change. */
  #sinceOf(name: string, { state, details }: FrrShown): string {
    const isUp = state === 'Established'
    const upMs = details?.upSince === undefined ? undefined : details.upSince * 1000
    const before = this.#since.get(name)
    if (before?.isUp === isUp) {
      const isSame = upMs === undefined || Math.abs(upMs - Date.parse(before.at)) < sameMs
      if (isSame) return before.at
    }
    const at = upMs === undefined ? this.#parts.timestamp() : new Date(upMs).toISOString()
    this.#since.set(name, { isUp, at })
    return at
  }

  get statuses(): readonly BgpSessionStatus[] {
    return this.#known.map((one) => statusOf(one, this.#parts.node))
  }

  get metrics(): readonly Metric[] {
    const counted = this.#known.map(measured)
    const hasBfd = this.#bfd.length > 0
    return [...bgpMetrics(counted), ...(hasBfd ? bfdMetrics(this.#bfd) : [])]
  }

  get problems(): readonly NodeProblem[] {
    return this.#known.flatMap((one) => {
      const found = one.state === 'Established' ? notAgreed(one) : [notUp(one)]
      return found.map((problem) => ({ object: objectOf(one.peer), ...problem }))
    })
  }
}

function notUp({ where, state, details }: Known): Omit<NodeProblem, 'object'> {
  const why = details?.lastError === undefined ? '' : ` (${details.lastError.message})`
  return { code: 'bgp-session-down', message: `${where}: FRR says ${state}${why}` }
}

/** frr-k8s tells the states alone. */
function notAgreed({ where, families, details }: Known): readonly Omit<NodeProblem, 'object'>[] {
  if (details === undefined) return []
  return families
    .filter((family) => !details.agreed.families.includes(family))
    .map((family) => familyNotAgreed(where, family))
}

/** The states in which it is only being tried are one, as for sessions of our own. */
function statusOf(one: Known, node: string): BgpSessionStatus {
  const { peer, state, bfd, vrf, where, details, since, routes } = one
  const isUp = state === 'Established'
  return {
    bgpStatus: isUp || state === 'Idle' ? state : 'Active',
    bfdStatus: bfd,
    ...{ node, peer: peer.name, vrf, since },
    localAddress: details?.localAddress ?? '',
    peerAddress: where,
    peerPort: peer.peerPort || usualPort,
    localASN: details?.localAsn || peer.localASN || peer.myASN,
    peerASN: details?.peerAsn || peer.peerASN,
    ...(isUp && details !== undefined && { agreed: details.agreed }),
    routesSent: details?.sent ?? (isUp ? routes : 0),
    updatesReceived: details?.counts.received.UPDATE ?? 0,
    ...(details?.lastError !== undefined && { lastError: details.lastError }),
  }
}

const usualPort = 179

const measured = ({ peer, where, vrf, state, details, routes }: Known): MeasuredBgp => ({
  plan: { address: where, port: peer.peerPort || usualPort, vrf },
  session: { state },
  told: { sent: details?.sent ?? (state === 'Established' ? routes : 0), pending: 0 },
  counts: details?.counts,
})
