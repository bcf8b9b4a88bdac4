// Proves what is reported of sessions that FRR has, from what FRR 8.4 and 10.3 showed.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { FrrPeer } from '../../../core/policy/frr/frrRouters.ts'
import { frrRouters } from '../../../core/policy/frr/frrRouters.ts'
import { decodePeer } from '../../../edge/kube/decode/decodePeer.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { metricsText } from '../../../edge/kube/serve/metricsText.ts'
import { FrrSessions } from './frrSessions.ts'
import { frrShown } from './frrShown.ts'

const shown = (name: string): string =>
  readFileSync(new URL(`../../../../test/bgp/captured/${name}.txt`, import.meta.url), 'utf8')

const peer = (name: string, spec: object): FrrPeer => ({
  peer: decodePeer(new Fields({ metadata: { name }, spec: { myASN: 64512, ...spec } }, [])),
  ...{ link: '', routes: [] },
})
const peers = [
  peer('tor', { peerASN: 64513, peerAddress: '10.66.0.2' }),
  peer('away', { peerASN: 64999, peerAddress: '10.66.0.77' }),
  peer('wire', { dynamicASN: 'external', interface: 'e9' }),
]

function stand() {
  const at = { now: '2026-01-01T00:00:00Z' }
  const sessions = new FrrSessions({
    ...{ node: 'a', timestamp: () => at.now, routers: () => frrRouters(peers).routers },
  })
  const of = (name: string) => sessions.statuses.find((one) => one.peer === name)
  return { at, sessions, of }
}

describe.each(['8.4', '10.3'])('FRR %s', (version) => {
  test('[R8.10] a session that is up says with whom, and on what terms', () => {
    const { sessions, of } = stand()
    sessions.saw(frrShown(shown(`frr-${version}-up`)))
    expect(of('tor')).toMatchObject({
      ...{ bgpStatus: 'Established', node: 'a', vrf: '', routesSent: 0, updatesReceived: 1 },
      ...{ localAddress: '10.66.0.1', peerAddress: '10.66.0.2', peerPort: 179 },
      ...{ localASN: 64512, peerASN: 64513, since: expect.stringMatching(/^2026-11-18T/) },
      agreed: {
        ...{ holdTime: '9s', keepaliveTime: '3s', peerRouterID: '10.66.0.2', families: ['IPv4'] },
        capabilities: [
          ...['four-octet-as', 'route-refresh', 'enhanced-route-refresh', 'extended-message'],
          'graceful-restart',
        ],
      },
    })
    expect(of('tor')?.lastError).toBeUndefined()
    expect(of('away')).toMatchObject({ bgpStatus: 'Active', peerASN: 64999, routesSent: 0 })
    expect(of('wire')).toMatchObject({
      ...{ bgpStatus: 'Idle', peerAddress: 'e9' },
      lastError: { message: expect.any(String), endedBy: 'connection' },
    })
    const text = metricsText(sessions.metrics)
    expect(text).toContain('metallb_bgp_session_up{peer="10.66.0.2:179",vrf=""} 1')
    expect(text).toContain('metallb_bgp_session_up{peer="10.66.0.77:179",vrf=""} 0')
    expect(text).toContain('metallb_bgp_keepalives_sent{peer="10.66.0.2:179",vrf=""} 3')
    expect(text).toContain('metallb_bgp_updates_total{peer="10.66.0.2:179",vrf=""} 1')
  })

  test('[R8.10] one that the router has ended says so, and since when', () => {
    const { sessions, of, at } = stand()
    sessions.saw(frrShown(shown(`frr-${version}-up`)))
    at.now = '2026-01-01T00:01:00Z'
    sessions.saw(frrShown(shown(`frr-${version}-reset`)))
    const message = 'BGP Notification received: Cease/Administrative Reset'
    expect(of('tor')).toMatchObject({
      ...{ bgpStatus: 'Idle', since: '2026-01-01T00:01:00Z', localAddress: '' },
      lastError: { message, endedBy: 'peer' },
    })
    expect(sessions.problems[0]).toEqual({
      ...{ object: 'BGPPeer//tor', code: 'bgp-session-down' },
      message: `10.66.0.2: FRR says Idle (${message})`,
    })
  })
})

test('[R8.8] a family that the router did not agree to is a problem', () => {
  const spec = { peerASN: 64513, peerAddress: '10.66.0.2', dualStackAddressFamily: true }
  const routers = () => frrRouters([peer('tor', spec)]).routers
  const sessions = new FrrSessions({ node: 'a', timestamp: () => '', routers })
  sessions.saw(frrShown(shown('frr-10.3-up')))
  expect(sessions.problems).toEqual([
    {
      ...{ object: 'BGPPeer//tor', code: 'family-not-agreed' },
      message: '10.66.0.2: the router takes no IPv6 routes, so none are sent',
    },
  ])
})

test('[R8.10] BFD is told and counted', () => {
  const { sessions, of } = stand()
  sessions.saw(frrShown(shown('frr-10.3-up')))
  expect(of('tor')?.bfdStatus).toBe('Up')
  const text = metricsText(sessions.metrics)
  expect(text).toContain('metallb_bfd_session_up{peer="10.66.0.2",vrf=""} 1')
  expect(text).toContain('metallb_bfd_control_packet_input{peer="10.66.0.2",vrf=""} 27')
})

test('[R8.10] where nobody says how the sessions are, none is called up or down', () => {
  const { sessions } = stand()
  sessions.saw(frrShown(shown('frr-10.3-up')))
  sessions.saw(undefined)
  expect([...sessions.statuses, ...sessions.problems]).toEqual([])
  expect(metricsText(sessions.metrics)).not.toMatch(/^metallb_b[gf][pd]_session_up\{/m)
})

test('[R8.10] a session that stays up is up since the same second', () => {
  const { sessions, of } = stand()
  const text = shown('frr-10.3-up')
  const moved = (by: number) =>
    text.replace(
      /("bgpTimerUpEstablishedEpoch":)(\d+)/g,
      (_, name, at) => `${name}${Number(at) + by}`,
    )
  sessions.saw(frrShown(text))
  const first = of('tor')?.since
  for (const by of [1, -1, 2, 0]) {
    sessions.saw(frrShown(moved(by)))
    expect(of('tor')?.since).toBe(first)
  }
  sessions.saw(frrShown(moved(60)))
  expect(of('tor')?.since).not.toBe(first)
})

test('the counters of other peers stay where one has none', () => {
  const { sessions } = stand()
  const said = frrShown(shown('frr-10.3-up'))
  sessions.saw({ ...said, neighbours: said.neighbours.filter(({ where }) => where !== 'e9') })
  const text = metricsText(sessions.metrics)
  expect(text).toContain('metallb_bgp_keepalives_sent{peer="10.66.0.2:179",vrf=""} 3')
  expect(text).not.toContain('metallb_bgp_keepalives_sent{peer="e9:179"')
})

test.each([
  ['nothing any more', ''],
  ['words', 'bgpd is not running\n---\nbfdd is not running\n---\n---\n'],
  ['a piece', '{"default":{"10.66.0.2":{"bgpState":'],
])('[R8.10] where FRR says %s, no session is taken for one', (_, text) => {
  const { sessions, of } = stand()
  sessions.saw(frrShown(text))
  expect(of('tor')).toMatchObject({ bgpStatus: 'Idle', bfdStatus: 'N/A', peerASN: 64513 })
  const shownMetrics = metricsText(sessions.metrics)
  expect(shownMetrics).toContain('metallb_bgp_session_up{peer="10.66.0.2:179",vrf=""} 0')
  expect(shownMetrics).not.toContain('metallb_bgp_keepalives_sent')
})
