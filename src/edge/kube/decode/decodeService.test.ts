import { expect, test } from 'vitest'
import type { EndpointSliceView, ServiceView } from '../../../core/model/service.ts'
import { decodeEndpointSlice, decodeService } from './decodeService.ts'
import { Fields } from './fields.ts'

type Parts = { annotations?: object; spec?: object; status?: object }
const view = ({ annotations = {}, spec = {}, status = {} }: Parts): ServiceView =>
  decodeService(
    new Fields({ metadata: { name: 'web', namespace: 'shop', annotations }, spec, status }, []),
  )

const pool = 'address-pool'
const [fresh, old] = [`metallb.io/${pool}`, `metallb.universe.tf/${pool}`]
test.each([
  [{ [fresh]: 'new' }, 'new', ''],
  [{ [old]: 'old' }, 'old', old],
  [{ [old]: 'old', [fresh]: 'new' }, 'new', old],
  [{ [old]: 'old', [fresh]: '' }, '', old],
  [{}, '', ''],
])('[M2.1] %j requests %j', (annotations, asksPool, deprecatedAnnotation) => {
  expect(view({ annotations })).toMatchObject({ asksPool, deprecatedAnnotation })
})

test.each([
  [{}, '', false],
  [{ 'metallb.io/allow-shared-ip': '' }, '', true],
  [{ 'metallb.universe.tf/allow-shared-ip': 'key' }, 'key', true],
])('[M2.1] %j shares by %j', (annotations, sharingKey, hasSharingAnnotation) => {
  expect(view({ annotations })).toMatchObject({ sharingKey, hasSharingAnnotation })
})

test('[M2.1] the recorded pool is never read from the old prefix', () => {
  const name = 'ip-allocated-from-pool'
  const both = { [`metallb.universe.tf/${name}`]: 'old', [`metallb.io/${name}`]: 'new' }
  expect(view({ annotations: both }).recordedPool).toBe('new')
  expect(view({ annotations: { [`metallb.universe.tf/${name}`]: 'old' } }).recordedPool).toBe('')
})

test.each([
  [{ clusterIPs: ['10.96.0.1', 'fd00::1'] }, ['IPv4', 'IPv6']],
  [{ clusterIPs: ['fd00::1'], clusterIP: '10.96.0.1' }, ['IPv6']],
  [{ clusterIP: '10.96.0.1' }, ['IPv4']],
  [{ clusterIP: 'None', clusterIPs: ['None'] }, []],
  [{ clusterIP: '' }, []],
  [{ ipFamilies: ['IPv6'] }, []],
])('[M2.2] %j has cluster families %j', (spec, clusterFamilies) => {
  expect(view({ spec }).clusterFamilies).toEqual(clusterFamilies)
})

const some: readonly [string, object, Partial<ServiceView>][] = [
  ['M2.2', {}, { isLoadBalancer: false, familyPolicy: 'SingleStack', primaryFamily: 'IPv4' }],
  ['M2.2', { type: 'LoadBalancer', loadBalancerClass: 'x' }, { isLoadBalancer: true }],
  ['M2.2', { loadBalancerClass: 'example.com/x' }, { loadBalancerClass: 'example.com/x' }],
  ['M2.2', { ipFamilyPolicy: 'RequireDualStack' }, { familyPolicy: 'RequireDualStack' }],
  ['M2.2', { ipFamilies: ['IPv6', 'IPv4'] }, { primaryFamily: 'IPv6' }],
  ['M2.2', { loadBalancerIP: '10.0.0.1' }, { asksByField: '10.0.0.1' }],
  [
    'M3.4',
    { ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] },
    { ports: ['TCP/80', 'UDP/53'] },
  ],
  ['M3.1', { selector: { b: '2', a: '1' } }, { isLocal: false, backend: '' }],
  [
    'M3.1',
    { externalTrafficPolicy: 'Local', selector: { b: '2', a: '1' } },
    { isLocal: true, backend: 'a=1,b=2' },
  ],
]
test.each(some)('[%s] %j is read as %j', (_, spec, expected) => {
  expect(view({ spec })).toMatchObject(expected)
})

test.each([
  [[{ ip: 'FD00::1' }, { ip: '10.0.0.1' }], ['fd00::1', '10.0.0.1'], false],
  [[{ ip: '10.0.0.1' }, { hostname: 'web.example.com' }], ['10.0.0.1'], true],
  [[{ ip: 'bad' }], [], true],
  [undefined, [], false],
])('[M5.2] ingress %j: %j', (ingress, ips, hasOtherIngress) => {
  const status = { loadBalancer: { ingress } }
  expect(view({ status })).toMatchObject({ ingress: ips, hasOtherIngress })
})

test.each([
  [{ ip: '10.0.0.1', ipMode: 'VIP' }, undefined],
  [{ ip: '10.0.0.1', ipMode: 'Proxy' }, [{ ip: '10.0.0.1', ipMode: 'Proxy' }]],
])('[M12.2] of the ingress entry %j what is more than an address is known', (entry, known) => {
  expect(view({ status: { loadBalancer: { ingress: [entry] } } }).ingressEntries).toEqual(known)
})

test('[R7] the condition that Berth writes is read back', () => {
  const condition = { status: 'False', reason: 'PoolFull', message: 'pool a is full' }
  const conditions = [{ type: 'Other' }, { type: 'berth.dev/Addressed', ...condition }]
  expect(view({ status: { conditions } }).addressed).toEqual(condition)
  expect(view({}).addressed).toBeUndefined()
})

test.each([
  [undefined, true],
  [{ ready: true }, true],
  [{ ready: false }, false],
  [{ ready: false, serving: true, terminating: true }, true],
  [{ serving: false }, true],
])('[M5.3] an endpoint with conditions %j is usable: %j', (conditions, isUsable) => {
  const labels = { 'kubernetes.io/service-name': 'web' }
  const slice: EndpointSliceView = decodeEndpointSlice(
    new Fields(
      {
        metadata: { name: 'web-x', namespace: 'shop', labels },
        endpoints: [{ addresses: ['10.1.0.1'], nodeName: 'n1', conditions }],
      },
      [],
    ),
  )
  expect(slice).toEqual({
    kind: 'EndpointSlice',
    key: 'shop/web-x',
    service: 'shop/web',
    endpoints: [{ node: 'n1', isUsable }],
  })
})
