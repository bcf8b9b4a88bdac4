// Does FRR take the configuration that we write, and do routers then hear what our own engine would
// tell them? FRR on the node, and BIRD or FRR as the router.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { FrrAsked } from '../../../src/app/speaker/frr/frrOutput.ts'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { decodeBfdProfile } from '../../../src/edge/kube/decode/decodeAnnouncing.ts'
import { decodePeer } from '../../../src/edge/kube/decode/decodePeer.ts'
import { Fields } from '../../../src/edge/kube/decode/fields.ts'
import { metricsText } from '../../../src/edge/kube/serve/metricsText.ts'
import { node } from '../../build/announcing.ts'
import { until } from '../../kube/waits.ts'
import { startBird } from './bird.ts'
import { startFrr } from './frr.ts'
import { type FrrOnNode, startFrrOnNode } from './frrOnNode.ts'
import type { Router } from './router.ts'
import { places, rootOf, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

const plain: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const rich: Route = {
  ...{ prefix: '10.80.1.0/24', localPref: 150, med: 50, prepend: 2, endpoints: 3 },
  communities: ['64513:42', '65535:65281', 'large:64513:1:2'],
}
const six: Route = { ...plain, prefix: 'fd80::1/128', communities: ['64513:42'] }

const peer = {
  ...{ myASN: 64512, peerASN: 64513, peerAddress: places.router.four, password: 'interop' },
  ...{ holdTime: '9s', connectTime: '1s', dualStackAddressFamily: true },
  sourceAddress: places.node.four,
}
const profile = decodeBfdProfile(
  new Fields({ metadata: { name: 'fast' }, spec: { receiveInterval: 300, echoMode: false } }, []),
)

const asked = (spec: object, routes: readonly Route[]): FrrAsked => ({
  node: node('node-1'),
  peers: [
    { peer: decodePeer(new Fields({ metadata: { name: 'tor' }, spec }, [])), link: '', routes },
  ],
  profiles: [profile],
})

const routers = inject('routers')
/** FRR on the node, and the router. */
const pairs = [
  { on: 'frr-8.4', to: 'frr-8.4', start: startFrr },
  { on: 'frr-8.4', to: 'bird-2.0', start: startBird },
  { on: 'frr-10.3', to: 'frr-8.4', start: startFrr },
].filter(({ on, to }) => on in routers && to in routers)

describe.skipIf(pairs.length === 0).each(pairs)('$on on the node, $to', ({ on, to, start }) => {
  const root = routers[on] ?? '/'
  let [its, frr, router]: [Stand, FrrOnNode, Router] = [] as never
  const given = { key: 'interop', extras: '' }
  const has = (prefix: string) => until(prefix, () => router.paths(prefix)[0])
  const since = (): string => {
    const shown = JSON.parse(frr.vtysh('show bgp summary json')) as {
      readonly ipv4Unicast?: { readonly peers: Record<string, { connectionsEstablished: number }> }
    }
    return JSON.stringify(shown.ipv4Unicast?.peers[places.router.four]?.connectionsEstablished)
  }
  beforeAll(async () => {
    its = await stand(`fb${on}${to}`.replaceAll(/[.-]/g, ''), { under: rootOf(root) })
    router = await start(its, '/')
    frr = await startFrrOnNode(its, { root, key: () => given.key, extras: () => given.extras })
  })
  afterAll(() => its.clear())

  test('[R8.19] routes have the attributes that were asked for', async () => {
    const done = await frr.put(asked(peer, [plain, rich, six]))
    expect(done).toEqual({ outcome: 'success', trouble: '' })
    const usual = { origin: 'IGP', asPath: '64512', med: 0, localPref: undefined, communities: [] }
    expect(await has(plain.prefix)).toEqual({ ...usual, nextHop: places.node.four })
    expect(await has(six.prefix)).toMatchObject({ asPath: '64512', communities: ['64513:42'] })
    const found = await has(rich.prefix)
    expect(found).toMatchObject({ asPath: '64512 64512 64512', med: 50 })
    expect(found.communities).toEqual(
      expect.arrayContaining(['64513:42', to === 'frr-8.4' ? 'no-export' : '65535:65281']),
    )
    expect(found.communities).toContain('64513:1:2')
  })

  test("[R8.10] what FRR says of the session is the status, and MetalLB's metrics", async () => {
    const given = asked(peer, [plain, rich, six])
    const sessions = await until('three routes', async () => {
      const seen = await frr.sessions(given)
      return seen.statuses[0]?.routesSent === 3 ? seen : undefined
    })
    expect(sessions.statuses).toMatchObject([
      {
        ...{ bgpStatus: 'Established', bfdStatus: 'N/A', node: 'node-1', peer: 'tor', vrf: '' },
        ...{ localAddress: places.node.four, peerAddress: places.router.four, peerPort: 179 },
        ...{ localASN: 64512, peerASN: 64513 },
        agreed: { holdTime: '9s', keepaliveTime: '3s', families: ['IPv4', 'IPv6'] },
      },
    ])
    const text = metricsText(sessions.metrics)
    const labels = `{peer="${places.router.four}:179",vrf=""}`
    expect(text).toContain(`metallb_bgp_session_up${labels} 1`)
    expect(text).toContain(`metallb_bgp_announced_prefixes_total${labels} 3`)
    expect(text).toMatch(/metallb_bgp_keepalives_received\{.*\} [1-9]/)
    expect(sessions.problems).toEqual([])
  })

  test('[R8.19] a new Service adds its own lines, and drops no session', async () => {
    const before = readFileSync(frr.files.config, 'utf8').split('\n')
    const sessions = since()
    const more = [plain, rich, six, { ...plain, prefix: '10.80.0.0/32' }]
    const watched = { ...peer, bfdProfile: 'fast' }
    expect((await frr.put(asked(watched, more))).outcome).toBe('success')
    await has('10.80.0.0/32')
    const after = readFileSync(frr.files.config, 'utf8').split('\n')
    expect(before.filter((line) => !after.includes(line))).toEqual([])
    expect(since()).toBe(sessions)
  })

  test('[R8.19] a Service that goes is withdrawn, and the session stays', async () => {
    const sessions = since()
    expect((await frr.put(asked(peer, [plain]))).outcome).toBe('success')
    await until('only one', () => (router.paths(rich.prefix).length === 0 ? true : undefined))
    expect(router.paths(plain.prefix)).toHaveLength(1)
    expect(since()).toBe(sessions)
  })

  test('what FRR refuses is said, and the session goes on', async () => {
    const sessions = since()
    given.extras = 'no such command'
    const { outcome, trouble } = await frr.put(asked(peer, [plain]))
    expect(outcome).toBe('failure')
    expect(trouble).toContain('FRR refused the configuration')
    expect(router.paths(plain.prefix)).toHaveLength(1)
    given.extras = 'route-map extra permit 10'
    expect(await frr.put(asked(peer, [plain]))).toEqual({ outcome: 'success', trouble: '' })
    expect(frr.vtysh('show running-config')).toContain('route-map extra permit 10')
    expect(since()).toBe(sessions)
  })

  test('[M12.2] a last BFDProfile that goes is gone from FRR too', async () => {
    expect(frr.vtysh('show running-config')).toContain('profile fast')
    expect((await frr.put({ ...asked(peer, [plain]), profiles: [] })).outcome).toBe('success')
    expect(frr.vtysh('show running-config')).not.toContain('profile fast')
  })
  test('nothing that was sent was malformed', async () => {
    expect(wireFaults(await its.record())).toEqual([])
  })
})
