// What does a speaker measure? MetalLB's figures under its names (M7.1) and our own.
import type { Ip } from '../../core/net/ip.ts'
import type { Counted } from '../../core/session/layer2/claim.ts'
import {
  configMetrics,
  counter,
  gauge,
  one,
  processMetrics,
  requestMetrics,
} from '../../edge/kube/serve/daemonMetrics.ts'
import type { Metric, Sample } from '../../edge/kube/serve/metricsText.ts'
import type { Requests } from '../../edge/kube/serve/requests.ts'
import type { MemberCounts } from './membership/members.ts'
import type { Speaker } from './speaker.ts'

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

export type SpeakerMetricsParts = {
  readonly node: string
  readonly speaker: Pick<
    Speaker,
    | 'answers'
    | 'announcer'
    | 'reporting'
    | 'live'
    | 'isIn'
    | 'isReady'
    | 'hasApi'
    | 'waitsFor'
    | 'news'
  >
  readonly requests: Requests
  readonly layer2: Layer2Counts
  /** Undefined where every Node counts as live. */
  readonly members: () => MemberCounts | undefined
}

export function newSpeakerMetrics(parts: SpeakerMetricsParts): () => readonly Metric[] {
  const { speaker, requests } = parts
  let wasIn = false
  return () => {
    wasIn ||= speaker.isIn
    const ignored = speaker.news().complaints?.length ?? 0
    return [
      announcedMetric(parts),
      ...layer2Metrics(parts),
      ...configMetrics({ wasIn, isIn: speaker.isIn, ignored }),
      ...requestMetrics(requests),
      ...memberMetrics(parts),
      gauge('berth_speaker_ready', 'Whether this node can be a candidate.', [one(speaker.isReady)]),
      gauge('berth_api_reachable', 'Whether the API answered lately.', [one(speaker.hasApi)]),
      gauge('berth_speaker_waits_for_metallb', "Whether MetalLB's speaker keeps us silent.", [
        one(speaker.waitsFor !== undefined),
      ]),
      ...processMetrics(),
    ]
  }
}

function announcedMetric({ node, speaker }: SpeakerMetricsParts): Metric {
  const { answers, announcer } = speaker
  const samples = [...answers.announced].flatMap((ip) =>
    announcer.claims.servicesOf(ip).map((service) => ({
      labels: { service, protocol: 'layer2', node, ip },
      value: 1,
    })),
  )
  return gauge('metallb_speaker_announced', 'Services that this node announces.', samples)
}

function layer2Metrics({ layer2, speaker }: SpeakerMetricsParts): Metric[] {
  const { counts } = speaker.reporting.sightings
  const samples = Object.entries(counts).map(([kind, value]) => ({ labels: { kind }, value }))
  return [
    counter(
      'metallb_layer2_requests_received',
      'ARP requests and neighbour solicitations for announced addresses.',
      layer2.samples('requests'),
    ),
    counter('metallb_layer2_responses_sent', 'Answers to them.', layer2.samples('responses')),
    counter(
      'metallb_layer2_gratuitous_sent',
      'Announcements that nobody asked for, after a change of owner.',
      layer2.samples('gratuitous'),
    ),
    counter(
      'berth_layer2_other_owners_total',
      'Others seen with an address of ours, or two with one.',
      samples,
    ),
  ]
}

function memberMetrics({ members, speaker }: SpeakerMetricsParts): Metric[] {
  const counts = members()
  const speakers = gauge('berth_members_live', 'Speakers that may announce.', [
    one(speaker.live.size),
  ])
  if (counts === undefined) return [speakers]
  const samples = Object.entries(counts).map(([event, value]) => ({ labels: { event }, value }))
  const help = 'What happened in the membership of speakers.'
  return [speakers, counter('berth_members_events_total', help, samples)]
}
