import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import { metricsText } from '../../edge/kube/serve/metricsText.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import { Layer2Counts, layer2Metrics } from './layer2/layer2Metrics.ts'
import { Sightings } from './layer2/sightings.ts'
import { newSpeakerMetrics, type SpeakerMetricsParts } from './speakerMetrics.ts'

const address = ip('192.0.2.1')

function linesOf(): string[] {
  const counts = new Layer2Counts()
  counts.add([{ address, requests: 3, responses: 2, gratuitous: 6 }])
  counts.add([{ address, requests: 1, responses: 1, gratuitous: 0 }])
  const peers = { live: new Set(['a', 'b']), counts: undefined }
  const report = {
    announced: () => [{ service: 'shop/web', address }],
    metrics: () => layer2Metrics({ counts, sightings: new Sightings(() => 0), peers }),
  }
  const speaker = {
    protocols: [{ name: 'layer2', report }],
    isIn: true,
    isReady: true,
    hasApi: true,
    waitsFor: undefined,
    news: () => ({ complaints: ['bad'], waitsFor: undefined }),
  } as unknown as SpeakerMetricsParts['speaker']
  const metrics = newSpeakerMetrics({ node: 'a', speaker, requests: new Requests() })
  return metricsText(metrics()).split('\n')
}

test("[M7.1] MetalLB's metrics keep their names", () => {
  expect(linesOf()).toEqual(
    expect.arrayContaining([
      'metallb_speaker_announced{service="shop/web",protocol="layer2",node="a",ip="192.0.2.1"} 1',
      'metallb_layer2_requests_received{ip="192.0.2.1"} 4',
      'metallb_layer2_responses_sent{ip="192.0.2.1"} 3',
      'metallb_layer2_gratuitous_sent{ip="192.0.2.1"} 6',
      'metallb_k8s_client_config_loaded_bool 1',
      'metallb_k8s_client_config_stale_bool 1',
    ]),
  )
})

test("Berth's own metrics are served too", () => {
  expect(linesOf()).toEqual(
    expect.arrayContaining([
      'berth_members_live 2',
      'berth_speaker_ready 1',
      'berth_api_reachable 1',
      'berth_speaker_waits_for_metallb 0',
      'berth_layer2_other_owners_total{kind="two-owners"} 0',
    ]),
  )
})
