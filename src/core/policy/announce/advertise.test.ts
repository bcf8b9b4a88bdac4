import { expect, test } from 'vitest'
import {
  bgp,
  endpoints,
  l2,
  node,
  onNode,
  peer,
  pool,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import type { ServiceView } from '../../model/service.ts'
import { advertise, advertiseAt, momentOf } from './advertise.ts'

const usual = [
  node('alder'),
  node('birch'),
  pool('p', ['10.20.30.0/24']),
  pool('q', ['10.20.40.0/24', '2001:db8:40::/120']),
  l2('layer2', { nodeSelectors: [onNode('alder')] }),
  bgp('bgp', { nodeSelectors: [onNode('birch')] }),
  peer('tor'),
  endpoints('web', ['alder']),
]

type Case = { reason: string; ingress: readonly string[]; given?: Partial<ServiceView> }
const cases: Case[] = [
  { reason: 'notLoadBalancer', ingress: ['10.20.30.1'], given: { isLoadBalancer: false } },
  {
    reason: 'notLoadBalancer',
    ingress: ['10.20.30.1'],
    given: { loadBalancerClass: 'example.com/other' },
  },
  { reason: 'noIPAllocated', ingress: [] },
  { reason: 'invalidIP', ingress: ['10.20.30.1'], given: { hasOtherIngress: true } },
  { reason: 'ipNotAllowed', ingress: ['192.0.2.1'] },
  { reason: 'ipNotAllowed', ingress: ['10.20.30.1', '2001:db8:40::1'] },
]

test.each(cases)('[M5.2] $ingress $given: $reason', ({ reason, ingress, given }) => {
  const world = worldOf(...usual, service('web', ingress, given))
  const { announcements, refusals } = advertise(world, speakersOf(world), 'default/web')
  expect(announcements).toEqual([])
  expect(refusals).toMatchObject([{ reason }])
})

test('[M5.2] a Service that is gone announces nothing', () => {
  const { announcements, refusals } = advertise(worldOf(), speakersOf(worldOf()), 'default/web')
  expect(announcements).toEqual([])
  expect(refusals).toMatchObject([{ reason: 'serviceDeleted' }])
})

test('[M0] both protocols announce at once, each from its own nodes', () => {
  const world = worldOf(...usual, service('web', ['10.20.30.1']))
  const { announcements, refusals } = advertise(world, speakersOf(world), 'default/web')
  expect(announcements).toMatchObject([
    { protocol: 'layer2', address: '10.20.30.1', node: 'alder' },
    { protocol: 'bgp', prefix: '10.20.30.1/32', node: 'birch', peer: 'tor', localPref: undefined },
  ])
  expect(refusals).toMatchObject([
    { protocol: 'layer2', node: 'birch', reason: 'noMatchingAdvertisement' },
    { protocol: 'bgp', node: 'alder', reason: 'notOwner' },
  ])
})

test('one moment answers for every Service as each would be answered alone', () => {
  const services = ['web', 'shop', 'mail'].map((name) => service(name, ['10.20.30.1']))
  const world = worldOf(...usual, ...services, endpoints('shop', ['birch']))
  const moment = momentOf(world, speakersOf(world))
  for (const { key } of services) {
    expect(advertiseAt(moment, key)).toEqual(advertise(world, speakersOf(world), key))
  }
})
