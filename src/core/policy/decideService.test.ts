import { expect, test } from 'vitest'
import { addressRecord, holderOf } from '../../../test/build/addressRecord.ts'
import { pool, service, worldOf } from '../../../test/build/announcing.ts'
import type { ServiceView } from '../model/service.ts'
import type { View } from '../model/view.ts'
import { decideService } from './decideService.ts'

const lan = pool('lan', ['10.0.0.0/30'])
const addressed = { status: 'True', reason: 'Addressed', message: '' }
const decide = (view: ServiceView, ...views: readonly View[]) =>
  decideService(worldOf(...views, view), view.key)

test('[M3.8] a gift is written and said', () => {
  expect(decide(service('web', []), lan)).toEqual({
    intent: { service: 'default/web', ips: ['10.0.0.0'], wait: undefined, isPicked: true },
    write: { ips: ['10.0.0.0'], pool: 'lan', condition: addressed },
    events: [{ type: 'Normal', reason: 'IPAllocated', message: 'Assigned IP ["10.0.0.0"]' }],
  })
})

test('what stands as it should is not written and not said', () => {
  const settled = service('web', ['10.0.0.2'], { recordedPool: 'lan', addressed })
  const { write, events } = decide(settled, lan)
  expect({ write, events }).toEqual({ write: undefined, events: [] })
})

test('[R7] a refusal carries its reason in condition and event, once', () => {
  const asks = service('web', [], { asksPool: 'wan' })
  const { write, events } = decide(asks, lan)
  const message = 'no pool is called wan or serves that name'
  const pointer = '; see berth explain service default/web'
  const condition = { status: 'False', reason: 'PoolNotFound', message: `${message}${pointer}` }
  expect(write).toEqual({ ips: undefined, pool: '', condition })
  expect(events).toEqual([
    {
      type: 'Warning',
      reason: 'AllocationFailed',
      message: `Failed to allocate IP for "default/web": pool-not-found: ${message}${pointer}`,
    },
  ])
  const again = decide({ ...asks, addressed: condition }, lan)
  expect([again.write, again.events]).toEqual([undefined, []])
})

test('[M3.3] an address outside every pool is replaced, and that is said', () => {
  const { write, events } = decide(service('web', ['192.0.2.9']), lan)
  expect(write?.ips).toEqual(['10.0.0.0'])
  expect(events.map(({ reason }) => reason)).toEqual(['ClearAssignment', 'IPAllocated'])
  expect(events[0]?.message).toMatch(/: address-not-in-pool: no pool contains 192\.0\.2\.9$/)
})

test('[M12.2] what another gave is left alone when we have nothing to give', () => {
  const theirs = service('web', ['192.0.2.9'])
  expect(decide(theirs).write?.ips).toBeUndefined()
  const ours = { ...theirs, recordedPool: 'gone' }
  const known = worldOf(ours)
  known.apply({ type: 'adoption', isOver: true })
  expect(decideService(known, ours.key).write?.ips).toEqual([])
})

test.each([
  { by: 'an Address of ours by its uid', given: {}, ips: [] },
  { by: 'an Address that a person made', given: { isOurs: false }, ips: undefined },
  { by: 'an Address of ours by another uid', given: { uid: 'of-before' }, ips: undefined },
])('[R3.12] in no pool, refused, and named by $by: shows $ips then', ({ given, ips }) => {
  const condition = { status: 'False', reason: 'PoolNotFound', message: '' }
  const view = service('web', ['192.0.2.9'], { addressed: condition })
  const { isOurs = true, uid = view.uid } = given
  const holders = [{ ...holderOf(view), uid }]
  const record = addressRecord('192.0.2.9', { isOurs, pool: 'gone', holders })
  const note: View = { kind: 'ReleasedPool', name: 'gone' }
  expect(decide(view, record, note).write?.ips).toEqual(ips)
})

test('[M2.2] of another class or type: not touched, but what was ours is taken back', () => {
  const foreign = service('web', ['10.0.0.1'], { loadBalancerClass: 'example.com/other' })
  expect(decide(foreign, lan).write).toBeUndefined()
  const metallbs = service('web', ['10.0.0.1'], {
    loadBalancerClass: 'metallb',
    recordedPool: 'theirs',
  })
  expect(decide(metallbs, lan).write).toBeUndefined()
  const was = service('web', [], { isLoadBalancer: false, recordedPool: 'lan', addressed })
  expect(decide(was, lan).write).toEqual({ ips: [], pool: '', condition: undefined })
})

test('[M3.3] a request that cannot be read leaves the holder alone', () => {
  const holder = service('web', ['10.0.0.1'], { recordedPool: 'lan', asksByAnnotation: 'x' })
  const { intent, write, events } = decide(holder, lan)
  expect(intent.ips).toEqual(['10.0.0.1'])
  expect(write?.condition?.reason).toBe('AddressInvalid')
  expect(events.map(({ reason }) => reason)).toEqual(['LoadBalancerFailed'])
})

test('[M3.3] PreferDualStack gets the second family when there is one', () => {
  const given = {
    clusterFamilies: ['IPv4', 'IPv6'],
    familyPolicy: 'PreferDualStack',
    recordedPool: 'lan',
    addressed,
  } as const
  const single = decide(service('web', ['10.0.0.1'], given), lan)
  expect(single.intent.wait?.pools).toEqual([])
  expect(single.events.map(({ reason }) => reason)).toEqual(['AdditionalAssignFailed'])
  const both = pool('lan', ['10.0.0.0/30', 'fd00::/126'])
  const { write, events } = decide(service('web', ['10.0.0.1'], given), both)
  expect(write?.ips).toEqual(['10.0.0.1', 'fd00::'])
  expect(events[0]?.message).toBe('Assigned additional IP "fd00::"')
})

test('[M2.1] a deprecated annotation is said when something is written', () => {
  const deprecatedAnnotation = 'metallb.universe.tf/address-pool'
  const { events } = decide(service('web', [], { deprecatedAnnotation }), lan)
  expect(events.map(({ reason }) => reason)).toEqual(['IPAllocated', 'deprecatedAnnotation'])
})
