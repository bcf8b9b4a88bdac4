// Berth as a sender: the speaker's sessions, with routes that stand for Services.
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { BgpPeers } from '../../src/app/speaker/bgp/bgpPeers.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import type { Route } from '../../src/core/session/bgp/routes.ts'
import { ownAddresses } from '../../src/edge/host/ownAddresses.ts'
import { dialTcp } from '../../src/edge/host/tcp/dialTcp.ts'
import { communityOf, prefixOf } from './contest.ts'

const sliceMs = 4
const [address = '', count = '', attributes = ''] = process.argv.slice(2)
const peers = new BgpPeers(() => ({
  style: 'frr',
  node: 'bench',
  nowMs: () => performance.now(),
  random: Math.random,
  timestamp: () => new Date().toISOString(),
  dial: dialTcp,
  ownAddresses,
  keyOf: async () => undefined,
  log: () => undefined,
}))
const routes: readonly Route[] = Array.from({ length: Number(count) }, (_, at) => ({
  prefix: prefixOf(at),
  localPref: undefined,
  communities: attributes === 'equal' ? [] : [communityOf(at)],
}))
const plan: Parameters<BgpPeers['run']>[0][number] = {
  name: 'peer',
  options: {
    ...{ localAsn: 64_512, peerAsn: 64_513, families: ['IPv4'], holdSeconds: 90 },
    ...{ keepaliveSeconds: undefined, retrySeconds: 1, restartSeconds: undefined },
  },
  ...{ address: address as Ip, port: 179, source: undefined, routerId: undefined, ttl: 1 },
  ...{ isOneHop: true, vrf: '', link: '', password: 'none', secret: '' },
}

/** As the speaker decides Services: a few milliseconds at a time, and what is decided goes out. */
async function tell(isAnnounced: boolean): Promise<void> {
  let untilMs = performance.now() + sliceMs
  for (const [at, route] of routes.entries()) {
    const [before, after] = isAnnounced ? [[], [route]] : [[route], []]
    peers.change('peer', `shop/${at}`, before, after)
    if (at % 16 !== 0 || performance.now() < untilMs) continue
    peers.flush()
    await soon()
    untilMs = performance.now() + sliceMs
  }
  peers.flush()
}
const soon = () => new Promise((resolve) => setImmediate(resolve))

peers.run([plan])
peers.begin()
createInterface({ input: process.stdin }).on('line', (line) => void tell(line === 'announce'))
while (peers.sessionOf('peer')?.session.state !== 'Established') await sleep(10)
process.stdout.write('ready\n')
