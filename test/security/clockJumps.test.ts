// A clock is set a year forward or back. The attacker controls the time that a machine gets (NTP).
// Afterwards: one controller leads at any time, and speakers know which of them are alive. What the
// clock of `berth up` means to its tokens is tried in test/up/clock.suite.ts.
// Before: a speaker whose clock was right again was not heard for up to ten minutes.
import { expect, test } from 'vitest'
import { Leader } from '../../src/app/controller/leader.ts'
import type { ApiRequest } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { newClock } from '../build/manualClock.ts'
import { Network } from '../sim/membershipNetwork.ts'

const yearMs = 365 * 24 * 3_600_000

/** A Lease in memory, under the rules of the API. */
function leaseApi() {
  let [lease, version]: [Record<string, unknown> | undefined, number] = [undefined, 0]
  const refused = (code: number) =>
    new ApiError({
      ...{ request: 'lease', code, reason: '', message: '', status: {} },
      retryAfterMs: undefined,
    })
  const versionIn = (body: unknown): unknown => Object(body).metadata.resourceVersion
  return {
    async call({ method, body }: ApiRequest): Promise<unknown> {
      if (method === 'GET' && lease === undefined) throw refused(404)
      if (method === 'GET') return lease
      if (method === 'PUT' && versionIn(body) !== versionIn(lease)) throw refused(409)
      version += 1
      const given = Object(body)
      lease = { ...given, metadata: { ...given.metadata, resourceVersion: `${version}` } }
      return lease
    },
    stream: () => {
      throw new Error('it is not watched')
    },
    close: () => undefined,
  }
}

test.each([yearMs, -yearMs])('the Lease, by %i ms', async (jumpMs) => {
  const [api, clock] = [leaseApi(), newClock()]
  const aheads = [0, 0]
  const stop = new AbortController()
  const leaders = aheads.map((_, at) => {
    const timestamp = () =>
      new Date(1_790_000_000_000 + clock.nowMs() + (aheads[at] ?? 0)).toISOString()
    const parts = { api, namespace: 'n', name: 'l', identity: `c${at}`, timestamp }
    const { nowMs, sleep } = clock
    return new Leader({ ...parts, nowMs, sleep, failed: () => undefined })
  })
  const running = leaders.map((leader) => leader.run(stop.signal, () => undefined))
  const led: string[] = []
  for (let at = 0; at < 120; at++) {
    if (at === 40) aheads[0] = jumpMs
    if (at === 80) aheads[1] = -jumpMs
    clock.advance(500)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    led.push(leaders.map(({ isLeading }) => (isLeading ? 1 : 0)).join(''))
  }
  // Whoever was first, all the while.
  expect(new Set(led.slice(4)).size).toBe(1)
  expect(['10', '01']).toContain(led.at(-1))
  stop.abort()
  clock.advance(60_000)
  await Promise.all(running)
})

test.each([yearMs, -yearMs])('[R10.2] a speaker that starts anew, by %i ms', (jumpMs) => {
  const network = Network.of(4, 1)
  network.kill('node-2')
  network.run(3000)
  network.start('node-2', 1_790_000_000_000 + network.now + jumpMs)
  network.run(10_000)
  const all = ['node-1', 'node-2', 'node-3', 'node-4']
  for (const name of all) {
    expect(network.liveFor(name).sort()).toEqual(all)
    expect(network.membership(name).isSuperseded).toBe(false)
  }
  const from = network.now
  network.kill('node-2')
  network.run(2000)
  for (const name of ['node-1', 'node-3', 'node-4']) {
    expect(network.liveFor(name)).not.toContain('node-2')
  }
  expect(network.seen('node-3', 'dead', from)).toEqual([])
  // And back, once the clock is right again.
  network.start('node-2')
  network.run(3000)
  for (const name of all) expect(network.liveFor(name).sort()).toEqual(all)
})

test.each([2, 3, 5])(
  '[R10.2] a speaker of %i whose clock is set right, and that starts at once',
  (count) => {
    const network = Network.of(count, 1)
    network.start('node-2', 1_790_000_000_000 + network.now + yearMs)
    network.run(3000)
    const from = network.now
    network.kill('node-2')
    network.run(100)
    network.start('node-2')
    network.run(3000)
    const all = network.names.sort()
    for (const name of all) expect(network.liveFor(name)).toEqual(all)
    expect(network.sightings.filter(({ at, state }) => at > from && state !== 'alive')).toEqual([])
    // It is heard again as any other is: its death is noticed.
    network.kill('node-2')
    network.run(2000)
    for (const name of network.names) expect(network.liveFor(name)).not.toContain('node-2')
  },
)
