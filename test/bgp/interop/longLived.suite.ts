// Does a router keep routes beyond a restart where it is asked to, as a last choice (RFC 9494)? FRR does
// so once the time of a restart is over; a Hard Reset takes them at once.
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { startFrr } from './frr.ts'
import { type Berth, places, rootOf, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

const routers = Object.entries(inject('routers')).filter(([name]) => name.startsWith('frr'))
const { node, router } = places
const route: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const config = `frr defaults traditional
router bgp 64513
 bgp router-id ${router.four}
 no bgp ebgp-requires-policy
 bgp long-lived-graceful-restart stale-time 60
 neighbor ${node.four} remote-as 64512
 neighbor ${node.four} passive
 neighbor ${node.four} timers connect 1
`
const spec = {
  ...{ peerASN: 64513, myASN: 64512, peerAddress: router.four, connectTime: '1s' },
  enableGracefulRestart: true,
}
const annotations = { 'berth.dev/long-lived-stale-seconds': '3600' }

let its: Stand

describe.skipIf(routers.length === 0).each(routers)('%s', (name, root) => {
  afterEach(() => its.clear())

  const begin = (berth: Berth) => {
    berth.order({ kind: 'peers', specs: { tor: spec }, annotations, restartSeconds: 2 })
    berth.routes([route])
  }

  test('[R8.22] routes stay after the restart time, marked, until the node is back', async () => {
    its = await stand(`ll${name.replace('.', '')}`, { under: rootOf(root) })
    const frr = await startFrr(its, root, { config })
    const first = its.berth()
    begin(first)
    await until('the route', () => frr.paths(route.prefix)[0])
    const [session] = (await first.seen()).sessions
    expect(session?.agreed?.keepsLonger).toBe(true)
    // Its process dies, and with it the connection: nothing is said.
    first.kill()
    const kept = await until('it is a last choice', () =>
      frr.paths(route.prefix).find(({ communities }) => communities.includes('llgr-stale')),
    )
    expect(kept.nextHop).toBe(node.four)
    const second = its.berth()
    begin(second)
    await until('it is as before', () =>
      frr.paths(route.prefix).some(({ communities }) => communities.length === 0)
        ? true
        : undefined,
    )
    await second.leave('for good')
    await until('it is gone', () => (frr.paths(route.prefix).length === 0 ? true : undefined))
    expect(wireFaults(await its.record())).toEqual([])
  })
})
