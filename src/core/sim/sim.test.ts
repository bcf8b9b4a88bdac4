import { expect, test } from 'vitest'
import { includes, merged } from '../model/json.ts'
import { withStatus } from '../model/write.ts'
import { withServiceDefaults } from './serviceDefaults.ts'
import { standInOf } from './standIns.ts'
import { timestamp } from './timestamp.ts'

test.each([
  [0, '1970-01-01T00:00:00Z'],
  [951_826_554, '2000-02-29T12:15:54Z'],
  [1_767_225_600, '2026-01-01T00:00:00Z'],
  [4_107_542_399, '2100-02-28T23:59:59Z'],
])('%d seconds are %s', (seconds, text) => expect(timestamp(seconds)).toBe(text))

test('what the last manifest said and this one does not is gone, what others wrote stays', () => {
  const existing = { labels: { a: '1', b: '2', ours: 'x' }, list: [1, 2] }
  const last = { labels: { a: '1', b: '2' }, list: [1, 2] }
  expect(merged(existing, last, { labels: { a: '9' }, list: [3] })).toEqual({
    labels: { a: '9', ours: 'x' },
    list: [3],
  })
})

test('maps match as subsets, lists in full', () => {
  expect(includes({ a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { d: 2 }] } })).toBe(true)
  expect(includes({ b: [1, 2] }, { b: [1] })).toBe(false)
  expect(includes(undefined, { a: 1 })).toBe(false)
})

test.each([
  [{}, ['IPv4']],
  [{ ipFamilies: ['IPv6'] }, ['IPv6']],
  [{ ipFamilyPolicy: 'PreferDualStack' }, ['IPv4', 'IPv6']],
  [{ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] }, ['IPv6', 'IPv4']],
])('cluster IPs of %j are %j', (spec, families) => {
  const service = withServiceDefaults({ spec: { type: 'LoadBalancer', ...spec } }, 7)
  expect(service['spec']).toMatchObject({
    clusterIPs: families.map((family) => (family === 'IPv4' ? '10.96.0.7' : 'fd00:10:96::7')),
  })
})

test('cluster IPs that are given are kept; only a load balancer has a status of one', () => {
  const service = {
    spec: { type: 'ClusterIP', clusterIPs: ['10.1.1.1'] },
    status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] }, conditions: [] },
  }
  expect(withServiceDefaults(service, 1)).toEqual({
    spec: { type: 'ClusterIP', clusterIPs: ['10.1.1.1'] },
    status: { conditions: [] },
  })
})

test('[M12.2] other fields of an ingress entry stay with their address', () => {
  const entry = { ip: '10.0.0.1', ipMode: 'VIP' }
  const service = { status: { loadBalancer: { ingress: [{ hostname: 'x' }, entry] } } }
  const of = { kind: 'Service', name: 'web' }
  const after = withStatus(service, { type: 'status', of, ingress: ['10.0.0.2', '10.0.0.1'] }, '')
  expect(after['status']).toEqual({ loadBalancer: { ingress: [{ ip: '10.0.0.2' }, entry] } })
})

test('the stand-in annotations become the objects that they stand for', () => {
  const annotated = (kind: string, annotations: Record<string, string>) =>
    standInOf({
      apiVersion: 'v1',
      kind,
      metadata: { name: 'x', namespace: 'ns', annotations },
    })?.json
  expect(annotated('Service', { 'berth.dev/endpoints': 'a, b' })).toMatchObject({
    kind: 'EndpointSlice',
    endpoints: [{ nodeName: 'a' }, { nodeName: 'b' }],
  })
  expect(annotated('Service', {})).toBeUndefined()
  expect(annotated('Node', {})).toBeUndefined()
  const addresses = 'eth1=10.0.0.5/24,eth1=fd00::5/64'
  expect(annotated('Node', { 'berth.dev/interface-addresses': addresses })).toMatchObject({
    spec: { interfaces: [{ name: 'eth1', addresses: ['10.0.0.5/24', 'fd00::5/64'] }] },
  })
})
