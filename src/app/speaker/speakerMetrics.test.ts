import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import { metricsText } from '../../edge/kube/serve/metricsText.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import { Claims } from './layer2/claims.ts'
import { Sightings } from './layer2/sightings.ts'
import { Layer2Counts, newSpeakerMetrics, type SpeakerMetricsParts } from './speakerMetrics.ts'

const address = ip('192.0.2.1')
/** By another machine. */
const taken = ip('192.0.2.2')

function linesOf(given: Partial<SpeakerMetricsParts> = {}): string[] {
  const claims = new Claims()
  claims.set({ service: 'shop/web', addresses: [address, taken], interfaces: [] })
  const speaker = {
    answers: { addresses: new Set([address, taken]), announced: new Set([address]) },
    announcer: { claims },
    reporting: { sightings: new Sightings(() => 0) },
    live: new Set(['a', 'b']),
    isIn: true,
    isReady: true,
    hasApi: true,
    waitsFor: undefined,
    news: () => ({ complaints: ['bad'], waitsFor: undefined }),
  } as unknown as SpeakerMetricsParts['speaker']
  const layer2 = new Layer2Counts()
  layer2.add([{ address, requests: 3, responses: 2, gratuitous: 6 }])
  layer2.add([{ address, requests: 1, responses: 1, gratuitous: 0 }])
  const metrics = newSpeakerMetrics({
    node: 'a',
    speaker,
    requests: new Requests(),
    layer2,
    members: () => undefined,
    ...given,
  })
  return metricsText(metrics()).split('\n')
}

test("[M7.1] MetalLB's figures under its names", () => {
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

test('what another machine has is not announced', () => {
  const announced = linesOf().filter((line) => line.startsWith('metallb_speaker_announced{'))
  expect(announced).toHaveLength(1)
})

test('and our own', () => {
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
