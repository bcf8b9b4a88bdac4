// What does FRR say of its sessions? The JSON of `show bgp neighbors` and `show bfd peers`, read as
// MetalLB's exporter reads it.
import type { BgpAgreed } from '../../../core/model/bgpSession.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { MeasuredBfd } from '../bfd/bfdMetrics.ts'
import type { Counted } from '../bgp/messageCounts.ts'

/** One neighbour, as FRR has it. */
export type FrrShown = {
  /** '' for none. */
  readonly vrf: string
  /** Its address, or the interface that it is on. */
  readonly where: string
  readonly state: string
  /** N/A without BFD. */
  readonly bfd: string
  /** Where only the states are known, as frr-k8s tells them, absent. */
  readonly details?: FrrDetails
}

export type FrrSaid = {
  readonly neighbours: readonly FrrShown[]
  readonly bfd: readonly MeasuredBfd[]
}

type FrrDetails = {
  readonly localAddress: string
  readonly localAsn: number
  readonly peerAsn: number
  /** Seconds since 1970; undefined while it is not established. */
  readonly upSince: number | undefined
  readonly agreed: BgpAgreed
  readonly sent: number
  readonly counts: { readonly sent: Counted; readonly received: Counted }
  readonly lastError: { readonly message: string; readonly endedBy: string } | undefined
}

/** How the reloader writes them: one behind the other, with a line of dashes between. */
const between = /^---$/m

/** What cannot be read is not there: a daemon that does not run answers in words. */
export function frrShown(text: string): FrrSaid {
  const [bgp, peers, counters] = text.split(between).map(jsonIn)
  const vrfs = new Fields(bgp, [])
  const neighbours = vrfs.names().flatMap((vrf) => {
    const inside = vrfs.inner(vrf)
    const names = inside.names().filter((name) => inside.inner(name).has('bgpState'))
    return names.map((where) => neighbourIn(vrfIn(vrf), where, inside.inner(where)))
  })
  return { neighbours, bfd: bfdIn(listIn(peers), listIn(counters)) }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const listIn = (json: unknown): readonly Fields[] => new Fields({ list: json }, []).each('list')

const vrfIn = (name: string): string => (name === 'default' ? '' : name)

function neighbourIn(vrf: string, where: string, shown: Fields): FrrShown {
  const state = shown.text('bgpState')
  const isUp = state === 'Established'
  const stats = shown.inner('messageStats')
  return {
    ...{ vrf, where, state },
    bfd: shown.has('peerBfdInfo') ? shown.inner('peerBfdInfo').text('status') : 'N/A',
    details: {
      localAddress: isUp ? shown.text('hostLocal') : '',
      localAsn: shown.number('localAs') ?? 0,
      peerAsn: shown.number('remoteAs') ?? 0,
      upSince: isUp ? shown.number('bgpTimerUpEstablishedEpoch') : undefined,
      agreed: agreedIn(shown),
      sent: sentIn(shown.inner('addressFamilyInfo')),
      counts: { sent: countsIn(stats, 'Sent'), received: countsIn(stats, 'Recv') },
      lastError: lastErrorIn(shown, isUp),
    },
  }
}

const sentIn = (families: Fields): number =>
  families
    .names()
    .reduce((sum, name) => sum + (families.inner(name).number('sentPrefixCounter') ?? 0), 0)

const countsIn = (stats: Fields, way: 'Sent' | 'Recv'): Counted => ({
  OPEN: stats.number(`opens${way}`) ?? 0,
  UPDATE: stats.number(`updates${way}`) ?? 0,
  NOTIFICATION: stats.number(`notifications${way}`) ?? 0,
  KEEPALIVE: stats.number(`keepalives${way}`) ?? 0,
  'ROUTE-REFRESH': stats.number(`routeRefresh${way}`) ?? 0,
})

/** FRR's names of capabilities, and ours. */
const capabilities = [
  ['4byteAs', 'four-octet-as'],
  ['routeRefresh', 'route-refresh'],
  ['enhancedRouteRefresh', 'enhanced-route-refresh'],
  ['extendedMessage', 'extended-message'],
  ['gracefulRestart', 'graceful-restart'],
] as const
const families = [
  ['ipv4Unicast', 'IPv4'],
  ['ipv6Unicast', 'IPv6'],
] as const

function agreedIn(shown: Fields): BgpAgreed {
  const both = shown.inner('neighborCapabilities')
  const inside = both.inner('multiprotocolExtensions')
  return {
    holdTime: `${(shown.number('bgpTimerHoldTimeMsecs') ?? 0) / 1000}s`,
    keepaliveTime: `${(shown.number('bgpTimerKeepAliveIntervalMsecs') ?? 0) / 1000}s`,
    peerRouterID: shown.text('remoteRouterId'),
    families: families
      .filter(([name]) => inside.inner(name).flag('advertisedAndReceived') === true)
      .map(([, family]) => family),
    capabilities: capabilities
      .filter(([name]) => both.text(name).startsWith('advertisedAndReceived'))
      .map(([, name]) => name),
  }
}

/** FRR names a cause before there was any session, too. */
function lastErrorIn(shown: Fields, isUp: boolean): FrrDetails['lastError'] {
  const due = shown.text('lastResetDueTo')
  const hadOne = (shown.number('connectionsDropped') ?? 0) > 0
  if (due === '' || (isUp && !hadOne)) return undefined
  const said = shown.text('lastNotificationReason')
  const isSaid = due.startsWith('BGP Notification')
  const message = isSaid && said !== '' ? `${due}: ${said}` : due
  const endedBy = due.endsWith('received') ? 'peer' : isSaid ? 'node' : 'connection'
  return { message, endedBy }
}

function bfdIn(peers: readonly Fields[], counters: readonly Fields[]): readonly MeasuredBfd[] {
  return peers.map((one) => {
    const counted = counters.find(
      (other) => other.text('peer') === one.text('peer') && other.text('vrf') === one.text('vrf'),
    )
    const of = (name: string): number => counted?.number(name) ?? 0
    const [ups, downs] = [of('session-up'), of('session-down')]
    return {
      plan: { target: { peer: one.text('peer'), device: vrfIn(one.text('vrf')) } },
      view: {
        state: one.text('status') === 'up' ? 'Up' : 'Down',
        counts: {
          ...{ received: of('control-packet-input'), sent: of('control-packet-output') },
          ...{ echoed: of('echo-packet-input'), echoes: of('echo-packet-output'), ups, downs },
        },
      },
    }
  })
}
