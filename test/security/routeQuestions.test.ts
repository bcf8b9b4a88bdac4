// A router asks for all routes again and again. The attacker has the place of a router that a BGPPeer
// names. Afterwards: it got them a few times, however often it asked.
// Before: it got all of them for each question.
import { expect, test } from 'vitest'
import { PeerSession } from '../../src/app/speaker/bgp/peerSession.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { Encodings } from '../../src/core/session/bgp/encodings.ts'
import { PeerRoutes } from '../../src/core/session/bgp/routes.ts'
import { encodeKeepalive } from '../../src/core/wire/bgp/header.ts'
import { encodeOpen } from '../../src/core/wire/bgp/open.ts'
import { encodeRouteRefresh } from '../../src/core/wire/bgp/routeRefresh.ts'
import type { TcpHandlers } from '../../src/edge/host/tcp/dialTcp.ts'
import { messagesIn } from '../build/bgpMessages.ts'

const options = {
  ...{ localAsn: 64512, peerAsn: 64513, families: ['IPv4'] as const, holdSeconds: 90 },
  ...{ keepaliveSeconds: undefined, retrySeconds: undefined, restartSeconds: undefined },
}
const plan = {
  ...{ name: 'tor', options, address: '192.0.2.1' as Ip, port: 179, source: undefined },
  ...{ routerId: undefined, ttl: 1, isOneHop: true, vrf: '', link: '' },
  password: 'none' as const,
  secret: '',
}
const routes = new PeerRoutes()
for (let at = 0; at < 1000; at++) {
  const prefix = `10.${at >> 8}.${at & 255}.0/24`
  routes.change(`shop/${at}`, [], [{ prefix, localPref: undefined, communities: [] }])
}
const open = encodeOpen({
  ...{ asn: 64513, holdSeconds: 90, routerId: '192.0.2.1' as Ip },
  capabilities: {
    ...{ families: ['IPv4'] as const, asn: 64513, restart: undefined },
    ...{ canRefresh: true, canRefreshEnhanced: true, canExtend: false },
  },
})

async function connectedSession(told: (bytes: Uint8Array) => void) {
  let handlers: TcpHandlers | undefined
  const write = (bytes: Uint8Array): true => {
    told(bytes)
    return true
  }
  const ended = { hangUp: async () => undefined, destroy: () => undefined }
  const session = new PeerSession({
    ...{ plan, routes, begun: 'anew', encodings: new Encodings() },
    means: {
      ...{ style: 'frr', node: 'a', nowMs: () => performance.now(), random: () => 0.5 },
      ...{ timestamp: () => '2026-01-01T00:00:00Z', ownAddresses: () => [] },
      ...{ keyOf: async () => undefined, log: () => undefined },
      dial(_, given) {
        handlers = given
        return { write, rekey: () => '', ...ended }
      },
    },
  })
  await soon()
  if (handlers === undefined) throw new Error('nothing was dialled')
  return { session, router: handlers }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

test('[R8.7] questions without a pause are not answered one by one', async () => {
  let told = 0
  const { session, router } = await connectedSession((bytes) => {
    told += messagesIn(bytes).filter((message) => message[18] === 2).length
  })
  session.begin()
  router.connected('192.0.2.9' as Ip)
  for (const bytes of [open, encodeKeepalive()]) router.received(bytes)
  await soon()
  const once = told
  expect(once).toBeGreaterThan(0)
  const question = encodeRouteRefresh('IPv4', 'request')
  for (let at = 0; at < 500; at++) {
    router.received(question)
    router.received(Buffer.concat([question, question]))
    await soon()
  }
  expect(told).toBeGreaterThan(once)
  expect(told).toBeLessThan(100 * once)
  await session.stop({ code: 6, subcode: 3, data: new Uint8Array() })
})
