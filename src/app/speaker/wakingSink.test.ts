// Proves which Services a change wakes: those it concerns, and none if nothing has changed.
import { describe, expect, test } from 'vitest'
import { endpoints, l2, node, pool, service, worldOf } from '../../../test/build/announcing.ts'
import { excludeLabel } from '../../core/model/node.ts'
import type { View } from '../../core/model/view.ts'
import { plainSink } from '../../edge/kube/feed/validatedSink.ts'
import { wakingSink, withoutExcludeLabel } from './wakingSink.ts'

const ranges = ['192.0.2.0/24', '2001:db8::/64']

function stand() {
  const world = worldOf()
  const woken: string[] = []
  const released: string[] = []
  const sink = wakingSink({
    world,
    sink: plainSink(world),
    wake: (key) => woken.push(key.replace('default/', '')),
    wakeAll: () => woken.push('all'),
    released: (ips) => released.push(...ips),
  })
  const first: View[] = [
    pool('lan', ranges),
    l2('lan'),
    node('a'),
    service('web', ['192.0.2.1']),
    service('api', ['192.0.2.1', '2001:db8::1']),
    service('six', ['2001:db8::1']),
    service('other', ['192.0.2.9']),
    endpoints('web', ['a']),
  ]
  for (const view of first) sink.put(view)
  woken.length = 0
  const wokenBy = (change: () => void) => {
    change()
    return [...new Set(woken.splice(0))].sort()
  }
  return { world, sink, wokenBy, released }
}

const status = { assignedIPv4: 1n, assignedIPv6: 0n, availableIPv4: 1n, availableIPv6: 0n }

describe('a change', () => {
  test.each<{ of: string; view: View; wakes: readonly string[] }>([
    { of: 'a Service', view: service('other', ['192.0.2.8']), wakes: ['other'] },
    {
      of: '[R8.1] a Service that shares addresses, also through a third one',
      view: service('web', ['192.0.2.1'], { resourceVersion: '2' }),
      wakes: ['api', 'six', 'web'],
    },
    {
      of: 'a Service that begins to share',
      view: service('new', ['192.0.2.9']),
      wakes: ['new', 'other'],
    },
    { of: 'endpoints', view: endpoints('other', ['a']), wakes: ['other'] },
    {
      of: 'endpoints of a Service that shares',
      view: endpoints('six', []),
      wakes: ['api', 'six', 'web'],
    },
    { of: 'unchanged endpoints', view: endpoints('web', ['a']), wakes: [] },
    { of: "a pool's range", view: pool('lan', ['192.0.2.0/25']), wakes: ['all'] },
    {
      of: "a pool's labels",
      view: pool('lan', ranges, { labels: { a: 'b' } }),
      wakes: ['all'],
    },
    { of: "[M12.2] a pool's status", view: pool('lan', ranges, { status }), wakes: [] },
    { of: 'an advertisement', view: l2('lan', { interfaces: ['eth0'] }), wakes: ['all'] },
    { of: 'an unchanged node', view: node('a'), wakes: [] },
    { of: "a node's label", view: node('a', { labels: { [excludeLabel]: '' } }), wakes: ['all'] },
  ])('to $of wakes $wakes', ({ view, wakes }) => {
    const { sink, wokenBy } = stand()
    expect(wokenBy(() => sink.put(view))).toEqual(wakes)
  })
})

test('a deleted Service wakes those it shared with and releases what nobody else holds', () => {
  const { sink, wokenBy, released } = stand()
  expect(wokenBy(() => sink.drop('Service', 'default/web'))).toEqual(['api', 'six', 'web'])
  expect(released).toEqual([])
  sink.drop('Service', 'default/other')
  expect(released).toEqual(['192.0.2.9'])
})

test('an address is held only while a status of our class shows it', () => {
  const { world, sink, released } = stand()
  sink.put(service('other', []))
  expect([world.holdersOf(service('other', ['192.0.2.9']).ingress[0] ?? ('' as never))]).toEqual([
    [],
  ])
  expect(released).toEqual(['192.0.2.9'])
  sink.put(service('web', ['192.0.2.1'], { loadBalancerClass: 'other' }))
  expect(world.holdingOf('default/web')).toBe(undefined)
})

test('the speaker keeps no state for decisions that the controller makes', () => {
  const { world } = stand()
  expect(world.queue.size).toBe(0)
})

test('[M5.3] --ignore-exclude-lb hides the exclude label', () => {
  const world = worldOf()
  const sink = withoutExcludeLabel(plainSink(world))
  sink.put(node('a', { labels: { [excludeLabel]: 'x', zone: 'one' } }))
  expect(world.all('Node').get('a')?.labels).toEqual({ host: 'a', zone: 'one' })
})
