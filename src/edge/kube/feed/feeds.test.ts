import { expect, test } from 'vitest'
import { World } from '../../../core/model/world.ts'
import { ApiError } from '../api/fault.ts'
import { resourceOf } from '../kinds.ts'
import { Feeds } from './feeds.ts'
import { plainSink } from './validatedSink.ts'
import { unwritten } from './versions.ts'

const absent = new ApiError({
  request: 'GET /apis/network.openstack.org/v1beta1/netconfigs',
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  status: undefined,
  retryAfterMs: undefined,
})

test('a kind that is not served is asked for every second, however long it is missing', async () => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  const stop = new AbortController()
  const slept: number[] = []
  const log: object[] = []
  const feeds = new Feeds({
    api: {
      call: () => Promise.reject(absent),
      stream: () => {
        throw absent
      },
      close: () => undefined,
    },
    clock: {
      nowMs: () => 0,
      async sleep(ms) {
        if (slept.push(ms) === 30) stop.abort()
      },
    },
    random: () => 1,
    log: (entry) => log.push(entry),
    kinds: [
      {
        kind: 'NetConfig',
        resource: resourceOf('NetConfig'),
        isOptional: true,
        isAwaited: false,
        isValidated: false,
      },
    ],
    sinkOf: () => plainSink(world),
    versions: unwritten,
    opened: () => undefined,
    changed: () => undefined,
  })
  await feeds.run(stop.signal)
  expect(new Set(slept)).toEqual(new Set([1_000]))
  expect([feeds.isIn, log.length]).toEqual([true, 1])
})
