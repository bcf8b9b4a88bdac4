// Which metrics does layer 2 serve? MetalLB's under its names (M7.1) and our own.
import type { Ip } from '../../../core/net/ip.ts'
import type { Counted } from '../../../core/session/layer2/announcement.ts'
import { counter, gauge, one } from '../../../edge/kube/serve/daemonMetrics.ts'
import type { Metric, Sample } from '../../../edge/kube/serve/metricsText.ts'
import type { PeerSpeakers } from './peerSpeakers.ts'
import type { Sightings } from './sightings.ts'

type Counts = { requests: number; responses: number; gratuitous: number }

/** Whoever makes Services can use up an IPv6 network, one address after another. */
const mostCounted = 65_536

/** Counts from the answering thread, by address. */
export class Layer2Counts {
  readonly #counts = new Map<Ip, Counts>()

  add(counted: readonly Counted[]): void {
    for (const { address, requests, responses, gratuitous } of counted) {
      const sum = this.#counts.get(address) ?? { requests: 0, responses: 0, gratuitous: 0 }
      sum.requests += requests
      sum.responses += responses
      sum.gratuitous += gratuitous
      const isNew = !this.#counts.has(address)
      const [eldest] = isNew && this.#counts.size >= mostCounted ? this.#counts.keys() : []
      if (eldest !== undefined) this.#counts.delete(eldest)
      this.#counts.set(address, sum)
    }
  }

  samples(of: keyof Counts): Sample[] {
    return [...this.#counts].map(([ip, counts]) => ({ labels: { ip }, value: counts[of] }))
  }
}

type Layer2MetricsParts = {
  readonly counts: Layer2Counts
  readonly sightings: Pick<Sightings, 'counts'>
  readonly peers: Pick<PeerSpeakers, 'live' | 'counts'>
}

export function layer2Metrics({ counts, sightings, peers }: Layer2MetricsParts): Metric[] {
  const seen = Object.entries(sightings.counts)
  return [
    counter(
      'metallb_layer2_requests_received',
      'ARP requests and neighbour solicitations for announced addresses.',
      counts.samples('requests'),
    ),
    counter(
      'metallb_layer2_responses_sent',
      'Answers to ARP requests and neighbour solicitations.',
      counts.samples('responses'),
    ),
    counter(
      'metallb_layer2_gratuitous_sent',
      'Gratuitous announcements after a change of owner.',
      counts.samples('gratuitous'),
    ),
    counter(
      'berth_layer2_other_owners_total',
      'Machines seen using an announced address, and pairs of speakers with one.',
      seen.map(([kind, value]) => ({ labels: { kind }, value })),
    ),
    ...memberMetrics(peers),
  ]
}

function memberMetrics({ live, counts }: Layer2MetricsParts['peers']): Metric[] {
  const speakers = gauge('berth_members_live', 'Speakers that may announce.', [one(live.size)])
  if (counts === undefined) return [speakers]
  const samples = Object.entries(counts).map(([event, value]) => ({ labels: { event }, value }))
  const help = 'Events in the membership of speakers.'
  return [speakers, counter('berth_members_events_total', help, samples)]
}
