// Which metrics does a speaker serve? MetalLB's under its names (M7.1), our own, and those of each
// protocol.
import {
  configMetrics,
  gauge,
  one,
  processMetrics,
  requestMetrics,
} from '../../edge/kube/serve/daemonMetrics.ts'
import type { Metric } from '../../edge/kube/serve/metricsText.ts'
import type { Requests } from '../../edge/kube/serve/requests.ts'
import type { Speaker } from './speaker.ts'

export type SpeakerMetricsParts = {
  readonly node: string
  readonly speaker: Pick<Speaker, 'protocols' | 'isIn' | 'isReady' | 'hasApi' | 'waitsFor' | 'news'>
  readonly requests: Requests
}

export function newSpeakerMetrics(parts: SpeakerMetricsParts): () => readonly Metric[] {
  const { speaker, requests } = parts
  let wasIn = false
  return () => {
    wasIn ||= speaker.isIn
    const ignored = speaker.news().complaints?.length ?? 0
    return [
      announcedMetric(parts),
      ...speaker.protocols.flatMap(({ report }) => report.metrics()),
      ...configMetrics({ wasIn, isIn: speaker.isIn, ignored }),
      ...requestMetrics(requests),
      gauge('berth_speaker_ready', 'Whether this node is ready to announce.', [
        one(speaker.isReady),
      ]),
      gauge('berth_api_reachable', 'Whether the API server answered recently.', [
        one(speaker.hasApi),
      ]),
      gauge(
        'berth_speaker_waits_for_metallb',
        'Whether Berth is silent because MetalLB runs here.',
        [one(speaker.waitsFor !== undefined)],
      ),
      ...processMetrics(),
    ]
  }
}

function announcedMetric({ node, speaker }: SpeakerMetricsParts): Metric {
  const samples = speaker.protocols.flatMap(({ name: protocol, report }) =>
    Array.from(report.announced(), ({ service, address }) => ({
      labels: { service, protocol, node, ip: address },
      value: 1,
    })),
  )
  return gauge('metallb_speaker_announced', 'Services announced from this node.', samples)
}
