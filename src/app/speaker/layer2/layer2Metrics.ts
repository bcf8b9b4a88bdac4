// What does layer 2 measure? MetalLB's figures under its names (M7.1) and our own.
import type { Ip } from '../../../core/net/ip.ts'
import type { Counted } from '../../../core/session/layer2/claim.ts'
import { counter, gauge, one } from '../../../edge/kube/serve/daemonMetrics.ts'
import type { Metric, Sample } from '../../../edge/kube/serve/metricsText.ts'
import type { PeerSpeakers } from './peerSpeakers.ts'
import type { Sightings } from './sightings.ts'

type Counts = { requests: number; responses: number; gratuitous: number }

/** What the thread that answers has counted, by address. */
export class Layer2Counts {
  readonly #counts = new Map<Ip, Counts>()

  add(counted: readonly Counted[]): void {
    for (const { address, requests, responses, gratuitous } of counted) {
      const sum = this.#counts.get(address) ?? { requests: 0, responses: 0, gratuitous: 0 }
      sum.requests += requests
      sum.responses += responses
      sum.gratuitous += gratuitous
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
    counter('metallb_layer2_responses_sent', 'Answers to them.', counts.samples('responses')),
    counter(
      'metallb_layer2_gratuitous_sent',
      'Announcements that nobody asked for, after a change of owner.',
      counts.samples('gratuitous'),
    ),
    counter(
      'berth_layer2_other_owners_total',
      'Others seen with an address of ours, or two with one.',
      seen.map(([kind, value]) => ({ labels: { kind }, value })),
    ),
    ...memberMetrics(peers),
  ]
}

function memberMetrics({ live, counts }: Layer2MetricsParts['peers']): Metric[] {
  const speakers = gauge('berth_members_live', 'Speakers that may announce.', [one(live.size)])
  if (counts === undefined) return [speakers]
  const samples = Object.entries(counts).map(([event, value]) => ({ labels: { event }, value }))
  const help = 'What happened in the membership of speakers.'
  return [speakers, counter('berth_members_events_total', help, samples)]
}
