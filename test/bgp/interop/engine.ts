// Berth's side of a session without an API: the speaker's own parts, told over standard input which
// peers and routes there are. Answers `ask` with what it sees.
import { createInterface } from 'node:readline'
import { after, every } from '../../../src/app/speaker/after.ts'
import { bfdPlanOf } from '../../../src/app/speaker/bfd/bfdPlan.ts'
import { BfdSessions } from '../../../src/app/speaker/bfd/bfdSessions.ts'
import { startBfdThread } from '../../../src/app/speaker/bfd/startBfdThread.ts'
import { BgpPeers } from '../../../src/app/speaker/bgp/bgpPeers.ts'
import { Incoming } from '../../../src/app/speaker/bgp/incoming.ts'
import { LinkNeighbours } from '../../../src/app/speaker/bgp/linkNeighbours.ts'
import { interfacesOf, nodePeers } from '../../../src/app/speaker/bgp/nodePeers.ts'
import type { Peer } from '../../../src/core/model/announcing.ts'
import type { Style } from '../../../src/core/session/bgp/routeAttributes.ts'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { shutdownNotice } from '../../../src/core/wire/bgp/notification.ts'
import { defaultGateways } from '../../../src/edge/host/defaultGateways.ts'
import { ownAddresses } from '../../../src/edge/host/ownAddresses.ts'
import { openRouterDiscovery } from '../../../src/edge/host/routerDiscovery.ts'
import { dialTcp, takeTcp } from '../../../src/edge/host/tcp/dialTcp.ts'
import { dropTcp, listenTcp } from '../../../src/edge/host/tcp/listenTcp.ts'
import { decodeBfdProfile } from '../../../src/edge/kube/decode/decodeAnnouncing.ts'
import { decodePeer } from '../../../src/edge/kube/decode/decodePeer.ts'
import { Fields } from '../../../src/edge/kube/decode/fields.ts'
import { node } from '../../build/announcing.ts'

export type Order =
  | {
      readonly kind: 'peers'
      readonly specs: Readonly<Record<string, object>>
      /** Of each of them. */
      readonly annotations?: Readonly<Record<string, string>>
      /** Of the BFDProfile that peers may name. */
      readonly profile?: object
      /** Instead of two minutes, where one of them asks for graceful restart. */
      readonly restartSeconds?: number
      /** Of peers that are new; `frr` unless given. */
      readonly style?: Style
    }
  | { readonly kind: 'routes'; readonly gone: readonly Route[]; readonly now: readonly Route[] }
  | { readonly kind: 'key'; readonly key: string }
  /** Where routers may connect to. */
  | { readonly kind: 'listen'; readonly port: number }
  | { readonly kind: 'ask' }
  | { readonly kind: 'leave'; readonly text: string }

const say = (json: unknown): void => void process.stdout.write(`${JSON.stringify(json)}\n`)
const log: string[] = []
let key = ''
let peers: readonly Peer[] = []
let incoming: Incoming | undefined
let restartSeconds: number | undefined
let style: Style = 'frr'
let profile = decodeBfdProfile(new Fields({}, []))

const bgp = new BgpPeers((name) => ({
  style,
  node: 'interop',
  nowMs: () => performance.now(),
  random: Math.random,
  timestamp: () => new Date().toISOString(),
  dial: dialTcp,
  ownAddresses,
  keyOf: async () => (key === '' ? undefined : Buffer.from(key)),
  log: (level, message) => void log.push(`${level} ${name}: ${message}`),
}))
const bfd = new BfdSessions({
  start: startBfdThread,
  nowMs: () => performance.now(),
  log: (level, name, message) => void log.push(`${level} ${name}: ${message}`),
  failed: (names, why) => {
    for (const name of names) bgp.sessionOf(name)?.bfdDown(why)
  },
})
const neighbours = new LinkNeighbours({
  open: openRouterDiscovery,
  ownAddresses,
  nowMs: () => performance.now(),
  every,
  changed: () => look(),
})

function look(): void {
  const all = nodePeers({
    peers,
    node: node('interop'),
    facts: () => ({ addresses: ownAddresses(), gateways: defaultGateways() }),
    neighbourOn: (name) => neighbours.addressOf(name),
  })
  neighbours.run(interfacesOf(all))
  const planned = all.flatMap(({ peer, plan }) => (plan === undefined ? [] : [{ peer, plan }]))
  const plans = planned.map(({ plan }) => {
    const isAsked = plan.options.restartSeconds !== undefined && restartSeconds !== undefined
    return isAsked ? { ...plan, options: { ...plan.options, restartSeconds } } : plan
  })
  bgp.run(plans)
  const own = ownAddresses()
  const watched = planned.filter(({ peer }) => peer.bfdProfile !== '')
  bfd.run(new Map(watched.map((one) => [one.peer.name, bfdPlanOf({ ...one, profile, own })])))
}

/** Each route is a Service of its own. */
function change(gone: readonly Route[], now: readonly Route[]): void {
  for (const { name } of peers) {
    for (const route of gone) bgp.change(name, route.prefix, [route], [])
    for (const route of now) bgp.change(name, route.prefix, [], [route])
  }
  bgp.flush()
}

async function obey(order: Order): Promise<void> {
  if (order.kind === 'key') {
    key = order.key
    await Promise.all([bgp.rekey(), incoming?.look()])
  } else if (order.kind === 'routes') change(order.gone, order.now)
  else if (order.kind === 'listen') {
    incoming = new Incoming({
      ...{ port: order.port, listen: listenTcp, take: takeTcp, drop: dropTcp, after },
      sessions: () => bgp.sessions,
      keyOf: async () => (key === '' ? undefined : Buffer.from(key)),
    })
    every(500, () => void incoming?.look())
  } else if (order.kind === 'peers') {
    peers = Object.entries(order.specs).map(([name, spec]) =>
      decodePeer(
        new Fields({ metadata: { name, annotations: order.annotations ?? {} }, spec }, []),
      ),
    )
    profile = decodeBfdProfile(new Fields({ spec: order.profile ?? {} }, []))
    restartSeconds = order.restartSeconds
    style = order.style ?? 'frr'
    look()
    bgp.begin()
  } else if (order.kind === 'leave') {
    neighbours.run(new Set())
    await bgp.stop(shutdownNotice(order.text))
    await bfd.stop()
    process.exit(0)
  } else {
    const sessions = bgp.sessions.map(({ plan, session, counts, told, nextHops, wasAccepted }) => {
      const { state, lastError, agreed } = session
      const { sent, received } = counts
      const rest = { told, nextHops, counts: { sent, received } }
      const bfdState = bfd.seenBy(plan.name)?.view?.state
      return { name: plan.name, wasAccepted, state, lastError, agreed, bfd: bfdState, ...rest }
    })
    say({ sessions, log, trouble: incoming?.trouble })
  }
}

if (import.meta.main) {
  const input = createInterface({ input: process.stdin })
  for await (const line of input) await obey(JSON.parse(line) as Order)
  process.exit(0)
}
