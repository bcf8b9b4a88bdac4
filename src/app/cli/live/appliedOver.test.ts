import { expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Loaded } from '../load.ts'
import { appliedOver } from './appliedOver.ts'

const lastApplied = (json: object) => ({
  annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(json) },
})
const of = (spec: object, metadata: object = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1', ...metadata },
  spec,
})
function over(live: JsonObject, json: JsonObject): unknown {
  const source = { file: '', line: 0 }
  const manifest = { json: live, source, lineOf: () => 0 }
  const loaded: Loaded = {
    unreadable: [],
    refused: [],
    warned: [],
    twice: [],
    passedOver: new Map(),
    oldConfigs: [],
    unbuilt: [],
    unplayed: [],
    manifests: new Map([['Service/shop/web', manifest]]),
  }
  return appliedOver(loaded)('Service/shop/web', json)['spec']
}
const six = { ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack', clusterIPs: ['fd00::1'] }

test('what the API server filled in stays', () => {
  expect(over(of({ type: 'LoadBalancer', ...six }), of({ type: 'LoadBalancer' }))).toEqual({
    type: 'LoadBalancer',
    ...six,
  })
})

test('what the last manifest said and this one does not is gone, and nothing else', () => {
  const last = of({ loadBalancerIP: '10.0.0.1' })
  const live = of({ loadBalancerIP: '10.0.0.1', loadBalancerClass: 'x' }, lastApplied(last))
  expect(over(live, of({}))).toEqual({ loadBalancerClass: 'x' })
})

test('other families get other cluster IPs', () => {
  const after = over(of(six), of({ ipFamilyPolicy: 'RequireDualStack' }))
  expect(after).toEqual({ ipFamilies: ['IPv6'], ipFamilyPolicy: 'RequireDualStack' })
})

test('what is not there yet is as it is written', () => {
  const json = of({ type: 'ClusterIP' }, { name: 'other' })
  const none: Loaded = {
    unreadable: [],
    refused: [],
    warned: [],
    twice: [],
    passedOver: new Map(),
    oldConfigs: [],
    unbuilt: [],
    unplayed: [],
    manifests: new Map(),
  }
  expect(appliedOver(none)('Service/shop/other', json)).toBe(json)
})
