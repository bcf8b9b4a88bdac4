import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../../test/build/rawServer.ts'
import { World } from '../../../core/model/world.ts'
import type { Api } from '../api/client.ts'
import type { Clock } from '../api/clock.ts'
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

function feedsOf(api: Api, clock: Clock): { readonly feeds: Feeds; readonly log: object[] } {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  const log: object[] = []
  const feeds = new Feeds({
    api,
    clock,
    random: () => 1,
    log: (entry) => log.push(entry),
    kinds: [
      {
        kind: 'NetConfig',
        resource: resourceOf('NetConfig'),
        isOptional: true,
        isKept: false,
        isAwaited: false,
        isValidated: false,
      },
    ],
    sinkOf: () => plainSink(world),
    versions: unwritten,
    opened: () => undefined,
    changed: () => undefined,
  })
  return { feeds, log }
}

test('a kind that is not served is asked for every second if definitions cannot be read', async () => {
  const stop = new AbortController()
  const slept: number[] = []
  const api: Api = {
    call: () => Promise.reject(absent),
    stream: () => {
      throw absent
    },
    close: () => undefined,
  }
  const { feeds, log } = feedsOf(api, {
    nowMs: () => 0,
    async sleep(ms) {
      if (slept.push(ms) === 30) stop.abort()
    },
  })
  await feeds.run(stop.signal)
  expect(new Set(slept)).toEqual(new Set([1_000]))
  expect([feeds.isIn, log.length]).toEqual([true, 1])
})

const definition = (served: boolean, established: string): object => ({
  metadata: { name: 'netconfigs.network.openstack.org', resourceVersion: '8' },
  spec: { versions: [{ name: 'v1beta1', served }] },
  status: { conditions: [{ type: 'Established', status: established }] },
})

test('a kind that is not served is asked for again once its definition serves it', async () => {
  const stop = new AbortController()
  let watching: ServerResponse | undefined
  let isServed = false
  const server = await rawServer(({ path, query }, response) => {
    if (query.get('watch') === 'true') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders()
      if (path.endsWith('/customresourcedefinitions')) watching = response
      return
    }
    if (path.endsWith('/netconfigs') && !isServed) return sendJson(response, { code: 404 }, 404)
    sendJson(response, { kind: 'AnyList', metadata: { resourceVersion: '7' }, items: [] })
  })
  const api = apiTo(server)
  const { feeds } = feedsOf(api, { nowMs: () => performance.now(), sleep: () => sleep(1) })
  onTestFinished(() => {
    stop.abort()
    api.close()
  })
  const running = feeds.run(stop.signal)
  await expect.poll(() => watching).toBeDefined()
  expect(feeds.isIn).toBe(true)
  const tell = (object: object) =>
    watching?.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`)
  tell(definition(true, 'False'))
  tell(definition(false, 'True'))
  await sleep(20)
  const asked = () => server.asked.map(({ path }) => path.replace(/.*\//, ''))
  const defined = 'customresourcedefinitions'
  expect(asked()).toEqual(['netconfigs', defined, defined])
  isServed = true
  tell(definition(true, 'True'))
  await expect.poll(() => feeds.isServed('NetConfig')).toBe(true)
  expect(server.asked[1]?.query.get('fieldSelector')).toBe(
    'metadata.name=netconfigs.network.openstack.org',
  )
  stop.abort()
  await running
})
