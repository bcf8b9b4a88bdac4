import { expect, onTestFinished, test, vi } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../../test/build/rawServer.ts'
import type { Discovered } from './discovery.ts'
import { podDiscovery } from './podDiscovery.ts'

type Given = { ip?: string; ips?: readonly string[]; phase?: string }
const pod = (name: string, node: string, given: Given = {}) => ({
  metadata: { name, resourceVersion: '1' },
  spec: { nodeName: node },
  status: {
    phase: given.phase ?? 'Running',
    podIP: given.ip ?? '',
    podIPs: (given.ips ?? []).map((ip) => ({ ip })),
  },
})
const listOf = (items: readonly object[]) => ({
  kind: 'PodList',
  metadata: { resourceVersion: '1' },
  items,
})

/** A list, then these events; then the server is in trouble for good. */
async function follow(items: readonly object[], events: readonly object[] = []) {
  const server = await rawServer((_, response, count) => {
    if (count === 0) sendJson(response, listOf(items))
    else if (count > 1) sendJson(response, { kind: 'Status' }, 500)
    else {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    }
  })
  const api = apiTo(server)
  const stop = new AbortController()
  const told: Discovered[] = []
  const time = { now: 0 }
  const naps: (() => void)[] = []
  const clock = {
    nowMs: () => time.now,
    // The watch tries again at once; what is kept for a while waits for the test.
    sleep: (ms: number) =>
      ms < 20_000 ? Promise.resolve() : new Promise<void>((wake) => naps.push(wake)),
  }
  const labels = { app: 'berth', part: 'speaker' }
  const parts = { namespace: 'berth-system', node: 'node-1', labels }
  const discover = podDiscovery({
    api,
    clock,
    random: () => 0,
    ...parts,
    port: 7947,
    family: 'IPv4',
  })
  const ended = discover((found) => told.push(found), stop.signal)
  onTestFinished(async () => {
    stop.abort()
    api.close()
    await ended
  })
  await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(3))
  const pass = (ms: number) => {
    time.now += ms
    for (const wake of naps) wake()
  }
  return { told, pass, asked: server.asked }
}

const seed = (address: string) => ({ address, port: 7947 })
const place = (node: string, ...addresses: string[]) => ({ node, addresses })

test('nodes with a speaker pod are expected, its addresses of our family are seeds', async () => {
  const { told, asked } = await follow([
    pod('s-2', 'node-2', { ip: '10.0.0.2', ips: ['10.0.0.2', '2001:db8::2'] }),
    pod('s-1', 'node-1', { ip: '10.0.0.1' }),
    pod('s-3', 'node-3', { phase: 'Pending' }),
    pod('s-4', 'node-4', { ip: '10.0.0.4', phase: 'Failed' }),
    pod('s-5', ''),
    { metadata: { name: 'odd' }, spec: 7 },
  ])
  // The API is away by now: what was told holds.
  const seeds = [seed('10.0.0.1'), seed('10.0.0.2')]
  const places = [place('node-2', '10.0.0.2'), place('node-1', '10.0.0.1'), place('node-3')]
  expect(told).toEqual([{ seeds, expected: ['node-1', 'node-2', 'node-3'], places }])
  expect(asked[0]).toMatchObject({ path: '/api/v1/namespaces/berth-system/pods' })
  expect(asked[0]?.query.get('labelSelector')).toBe('app=berth,part=speaker')
  expect(asked[1]?.query.get('labelSelector')).toBe('app=berth,part=speaker')
})

const one = pod('s-1', 'node-1', { ip: '10.0.0.1' })
const two = pod('s-2', 'node-2', { ip: '10.0.0.2' })

test('without our own pod nothing is told, and after a while why', async () => {
  const { told, pass } = await follow([two])
  expect(told).toEqual([])
  pass(21_000)
  await vi.waitFor(() => expect(told).toHaveLength(1))
  expect(told).toMatchObject([{ seeds: [seed('10.0.0.2')], expected: ['node-2'] }])
  expect(told[0]?.problem).toMatch(/^namespace berth-system has no Pod app=berth,part=speaker on /)
})

test('once our own pod was there it is known whom we look for', async () => {
  const { told, pass } = await follow([two], [{ type: 'ADDED', object: one }])
  const seeds = [seed('10.0.0.1'), seed('10.0.0.2')]
  expect(told).toMatchObject([{ seeds, expected: ['node-1', 'node-2'] }])
  pass(21_000)
  expect(told).toHaveLength(1)
})

test('[R8.3] a node whose pod is gone is expected for a while', async () => {
  const { told, pass } = await follow([one, two], [{ type: 'DELETED', object: two }])
  expect(told.slice(1)).toMatchObject([
    { seeds: [seed('10.0.0.1')], expected: ['node-1', 'node-2'] },
  ])
  pass(31_000)
  await vi.waitFor(() => expect(told).toHaveLength(3))
  expect(told.at(-1)).toMatchObject({ seeds: [seed('10.0.0.1')], expected: ['node-1'] })
})

test('[R8.3] a pod that is replaced does not take its node away', async () => {
  const again = pod('s-3', 'node-2', { ip: '10.0.0.2' })
  const { told, pass } = await follow(
    [one, two],
    [
      { type: 'DELETED', object: two },
      { type: 'ADDED', object: again },
    ],
  )
  pass(31_000)
  expect(told.map(({ expected }) => expected)).toEqual(
    Array.from({ length: 3 }, () => ['node-1', 'node-2']),
  )
})
