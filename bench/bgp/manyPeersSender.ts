// Berth with fifty peers: all routes are changed again and again, and every KEEPALIVE is timed.
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { BgpPeers } from '../../src/app/speaker/bgp/bgpPeers.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import type { Route } from '../../src/core/session/bgp/routes.ts'
import { ownAddresses } from '../../src/edge/host/ownAddresses.ts'
import { dialTcp } from '../../src/edge/host/tcp/dialTcp.ts'
import { prefixOf } from './contest.ts'
import { places } from './ground.ts'
import { holdSeconds, peersCount, sourceOf } from './manyPeersPlan.ts'

const seconds = Number(process.argv[2])
const lastMs = new Map<string, number>()
const gapsMs: number[] = []
const keepalive = 4
const peers = new BgpPeers((name) => ({
  style: 'frr',
  node: 'bench',
  nowMs: () => performance.now(),
  random: Math.random,
  timestamp: () => new Date().toISOString(),
  dial(target, handlers) {
    const connection = dialTcp(target, handlers)
    const write = (bytes: Uint8Array): boolean => {
      if (bytes[18] === keepalive) {
        const before = lastMs.get(name)
        if (before !== undefined) gapsMs.push(performance.now() - before)
        lastMs.set(name, performance.now())
      }
      return connection.write(bytes)
    }
    const { hangUp, rekey, destroy } = connection
    return {
      write,
      hangUp: hangUp.bind(connection),
      rekey: rekey.bind(connection),
      destroy: destroy.bind(connection),
    }
  },
  ownAddresses,
  keyOf: async () => undefined,
  log: () => undefined,
}))
const routes: readonly Route[] = Array.from({ length: 1_000 }, (_, at) => ({
  ...{ prefix: prefixOf(at), localPref: undefined, communities: [] },
}))
const names = Array.from({ length: peersCount }, (_, at) => `peer-${at}`)

peers.run(
  names.map((name, at) => ({
    name,
    options: {
      ...{ localAsn: 64_512, peerAsn: 64_513, families: ['IPv4'], holdSeconds },
      ...{ keepaliveSeconds: undefined, retrySeconds: 1, restartSeconds: undefined },
    },
    ...{ address: places.receiver as Ip, port: 179, source: sourceOf(at) as Ip },
    routerId: undefined,
    ...{ ttl: 1, isOneHop: true, vrf: '', link: '', password: 'none', secret: '' },
  })),
)
peers.begin()
const up = () => peers.sessions.filter(({ session }) => session.state === 'Established').length
while (up() < peersCount) await sleep(50)
const endMs = performance.now() + seconds * 1_000
for (let round = 0; performance.now() < endMs; round++) {
  // As if every Service had changed: what a list of all of them does at the worst.
  const med = round % 2
  for (const name of names) {
    for (const [at, route] of routes.entries()) {
      const [before, after] = [
        { ...route, med: 1 - med },
        { ...route, med },
      ]
      peers.change(name, `shop/${at}`, round === 0 ? [] : [before], [after])
    }
    // The speaker, too, works a few milliseconds at a time.
    await sleep(0)
  }
  peers.flush()
  await sleep(1_000)
}
const dueMs = (holdSeconds * 1_000) / 3
const late = gapsMs.filter((gapMs) => gapMs > dueMs * 1.1).length
const most = Math.max(...gapsMs).toFixed(0)
process.stdout.write(
  `${peersCount} peers, 1,000 prefixes each changed every second, ${seconds} s: ${up()} up, ` +
    `${gapsMs.length} KEEPALIVEs due after ${dueMs} ms, the latest after ${most} ms, ${late} late\n`,
)
process.exit(0)
