// Does a session over IPv6 carry the same, and does it come back? After silence on either side, after
// the router has restarted, and after the speaker has, with routes that stay meanwhile (RFC 4724).
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { kindOf } from './kinds.ts'
import type { Router } from './router.ts'
import { type Berth, places, rootOf, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

const four: Route = {
  ...{ prefix: '10.80.1.0/24', localPref: undefined, med: 50, prepend: 2 },
  communities: ['64513:42', 'large:64513:1:2'],
}
const six: Route = { prefix: 'fd80::1/128', localPref: undefined, communities: [] }
const spec = {
  ...{ myASN: 64512, peerASN: 64513, peerAddress: places.router.six, connectTime: '1s' },
  ...{ holdTime: '3s', keepaliveTime: '1s', dualStackAddressFamily: true },
  enableGracefulRestart: true,
}
const patienceMs = 60_000

describe.each(Object.entries(inject('routers')))('%s', (name, root) => {
  let [its, berth, router]: [Stand, Berth, Router] = [] as never
  const isExabgp = name.startsWith('exabgp')
  const session = async () => (await berth.seen()).sessions[0]
  const untilUp = () =>
    until(
      'a session',
      async () => ((await session())?.state === 'Established' ? true : undefined),
      patienceMs,
    )
  const has = (prefix: string) => until(prefix, () => router.paths(prefix)[0], patienceMs)
  const begin = (routes: readonly Route[]): Berth => {
    const one = its.berth()
    one.order({ kind: 'key', key: 'interop' })
    one.order({ kind: 'peers', specs: { tor: spec } })
    one.routes(routes)
    return one
  }
  beforeAll(async () => {
    its = await stand(`la${name.replace('.', '')}`, { under: rootOf(root) })
    router = await kindOf(name)(its, root, { transport: 'six' })
    berth = begin([four, six])
    await untilUp()
  })
  afterAll(() => its.clear())

  test('[R8.8] over IPv6, too, routes have exactly the attributes that were asked for', async () => {
    expect(await has(four.prefix)).toEqual({
      ...{ origin: 'IGP', asPath: '64512 64512 64512', med: 50, localPref: undefined },
      ...{ communities: ['64513:42', '64513:1:2'], nextHop: places.node.four },
    })
    // ExaBGP names the second one, of the link.
    const nextHop = isExabgp ? expect.stringMatching(/^fe80::/) : places.node.six
    expect(await has(six.prefix)).toEqual({
      ...{ origin: 'IGP', asPath: '64512', med: 0, localPref: undefined, communities: [] },
      nextHop,
    })
  })

  test.each([
    // Its NOTIFICATION waits for what nobody acknowledges: the router alone can say so.
    {
      silent: 'node',
      by: 'it has',
      isOver: () => /hold ?timer.? expired/i.test(router.lastWords()),
    },
    {
      silent: 'router',
      by: 'we have',
      isOver: async () => {
        const { state, lastError } = (await session()) ?? {}
        return state !== 'Established' && lastError === 'we ended it: Hold Timer Expired (4/0)'
      },
    },
  ] as const)('the $silent is not heard: $by ended it, and then it is back', async (row) => {
    const { silent, isOver } = row
    expect(await isOver()).toBe(false)
    its.silence(silent, true)
    try {
      await until('the end', async () => ((await isOver()) ? true : undefined), patienceMs)
    } finally {
      its.silence(silent, false)
    }
    await untilUp()
    await has(four.prefix)
  })

  test('the router restarts, and has all routes again', async () => {
    await router.restart()
    await untilUp()
    await has(four.prefix)
    await has(six.prefix)
  })

  // ExaBGP has no table that could keep anything.
  test.skipIf(isExabgp)('[R8.12] the speaker restarts, and its routes stay meanwhile', async () => {
    expect((await session())?.agreed?.keepsRoutes).toBe(true)
    berth.kill()
    for (let look = 0; look < 8; look++) {
      await sleep(250)
      expect(router.paths(four.prefix)).toHaveLength(1)
    }
    // What is not announced any more goes with the end of all routes.
    berth = begin([four])
    await until('only one', () => (router.paths(six.prefix).length === 0 ? true : undefined))
    expect(router.paths(four.prefix)).toHaveLength(1)
    expect(await untilUp()).toBe(true)
  })

  test('nothing that was sent was malformed', async () => {
    expect(wireFaults(await its.record())).toEqual([])
  })
})
