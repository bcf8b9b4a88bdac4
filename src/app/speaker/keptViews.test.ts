// Proves that Services we do not announce take no memory, and that one we stop announcing is freed.
import { expect, test } from 'vitest'
import { service, worldOf } from '../../../test/build/announcing.ts'
import { plainSink } from '../../edge/kube/feed/validatedSink.ts'
import { onlyAnnounced } from './keptViews.ts'

test('only our Services are kept, and without the addresses they request', () => {
  const world = worldOf()
  const sink = onlyAnnounced(world, plainSink(world))
  const asked = { asksPool: 'one', asksByAnnotation: '192.0.2.1', asksByField: '192.0.2.1' }
  const ours = { ...service('web', ['192.0.2.1']), ...asked }
  sink.put(ours)
  sink.put({ ...service('inside', []), isLoadBalancer: false })
  expect([...world.services.keys()]).toEqual([ours.key])
  const unasked = {
    createdAt: '',
    asksPool: '',
    asksByAnnotation: '',
    asksByField: '',
    addressed: undefined,
  }
  expect(world.services.get(ours.key)).toEqual({ ...ours, ...unasked, recordedPool: '' })
  sink.put({ ...ours, loadBalancerClass: 'other.example/lb' })
  expect(world.services.size).toBe(0)
})
