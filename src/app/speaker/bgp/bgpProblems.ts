// What is wrong with BGP on this node? Each with a remedy in docs/reasons.md.
import type { Peer } from '../../../core/model/announcing.ts'
import { objectOf } from '../../../core/model/view.ts'
import { counted } from '../../../core/net/counted.ts'
import { type Family, familyOf, type Ip } from '../../../core/net/ip.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'
import type { BfdSeen } from '../bfd/bfdSessions.ts'
import type { NodeProblem } from '../status/nodeReport.ts'
import { isOnLink } from './nextHops.ts'
import type { NodePeer } from './nodePeers.ts'
import type { PeerSession } from './peerSession.ts'

type BgpNode = {
  /** Those that select this node, by name. */
  readonly peers: readonly NodePeer[]
  /** What keeps a router from being found on an interface; '' for nothing. */
  readonly troubleOn: (name: string) => string
  readonly sessionOf: (peer: string) => Shown | undefined
  readonly bfdOf: (peer: string) => BfdSeen | undefined
  readonly wantsEcho: (peer: Peer) => boolean
  readonly own: readonly OwnAddress[]
  readonly listening: Listening
}

type Listening = {
  readonly node: string
  /** Undefined where we do not listen, '' where routers can connect. */
  readonly trouble: string | undefined
  /** '' where nothing keeps that peer out. */
  readonly keyTroubleOf: (peer: Ip) => string
}
type Shown = Pick<PeerSession, 'plan' | 'session' | 'nextHops' | 'tooLong'>

/** By peer, of one peer the cause first; then those of the node. */
export const bgpProblems = (all: BgpNode): readonly NodeProblem[] => {
  const { node: object, trouble } = all.listening
  const message = `${trouble}: routers cannot connect to this node; it still connects to them`
  const taken = trouble ? [{ object, code: 'bgp-port-taken', message } as const] : []
  return [...peerProblems(all), ...taken]
}

const peerProblems = ({ peers, own, ...node }: BgpNode): readonly NodeProblem[] =>
  peers.flatMap(({ peer, plan, lacking }) => {
    const object = objectOf(peer)
    const session = node.sessionOf(peer.name)
    const found = session === undefined ? [] : [...placeProblems(session, own), ...state(session)]
    const bfdPlan = node.bfdOf(peer.name)?.plan
    const lacksEcho = node.wantsEcho(peer) && bfdPlan !== undefined && bfdPlan.echo === undefined
    const unsupported = lacksEcho
      ? ([{ code: 'peer-not-supported', message: withoutEcho }] as const)
      : []
    const missing = lacking.map((message) => ({ code: 'peer-value-missing', message }) as const)
    const unheard =
      plan === undefined && lacking.length === 0 ? [unheardOn(peer, node.troubleOn)] : []
    const isDeaf = session?.plan.options.isPassive && node.listening.trouble === undefined
    const deaf = isDeaf ? ([{ code: 'peer-not-supported', message: notHeard }] as const) : []
    const unkeyed = session === undefined ? [] : unkeyedBy(session, node.listening)
    const bfd = session === undefined ? [] : bfdProblems(session, node.bfdOf(peer.name))
    const all = [...missing, ...unheard, ...unsupported, ...deaf, ...unkeyed, ...found, ...bfd]
    return all.map((problem) => ({ object, ...problem }))
  })

const notHeard =
  'berth.dev/passive: the speaker does not listen (--bgp-listen), so there is no session'

const withoutEcho =
  'echoMode of its BFDProfile: over IPv6 or several hops, BFD runs without echo packets'

function unkeyedBy({ plan }: Shown, { keyTroubleOf }: Listening): PeerProblem[] {
  const why = keyTroubleOf(plan.address)
  if (why === '') return []
  const rest = 'the router cannot connect to this node; it still connects to the router'
  return [{ code: 'bgp-key-not-set', message: `${plan.address}: ${why}: ${rest}` }]
}

function unheardOn({ interface: name }: Peer, troubleOn: BgpNode['troubleOn']): PeerProblem {
  const trouble = troubleOn(name)
  const why = trouble === '' ? '' : ` (${trouble})`
  const message = `no router advertisement was received on ${name}${why}, so the router is unknown`
  return { code: 'bgp-session-down', message }
}

type PeerProblem = Omit<NodeProblem, 'object'>

function placeProblems({ plan }: Shown, own: readonly OwnAddress[]): PeerProblem[] {
  const { source, address, isOneHop, link } = plan
  const problems: PeerProblem[] = []
  if (source !== undefined && !own.some((one) => one.address === source)) {
    const message = `this node does not have ${source}, so there is no session`
    problems.push({ code: 'source-address-missing', message })
  }
  if (isOneHop && link === '' && !isOnLink(address, own)) {
    const message = `${address} is in none of this node's subnets, and packets go one hop`
    problems.push({ code: 'peer-not-connected', message })
  }
  return problems
}

function state({ session, plan, nextHops, tooLong }: Shown): PeerProblem[] {
  if (session.state !== 'Established') {
    const isWaiting = plan.options.isPassive && session.lastError === ''
    if (isWaiting) {
      const message = `${plan.address}: waits for the router to connect`
      return [{ code: 'bgp-session-down', message }]
    }
    if (session.lastError === '') return []
    const where = `${plan.address} port ${plan.port}`
    return [{ code: 'bgp-session-down', message: `${where}: ${session.lastError}` }]
  }
  const agreed = session.agreed?.families ?? []
  const refused = plan.options.families.filter((family) => !agreed.includes(family))
  const without = agreed.filter((family) => nextHops[family] === undefined)
  return [
    ...refused.map((family) => familyNotAgreed(plan.address, family)),
    ...without.map((family) => {
      const message = `its ${familyOf(plan.address)} session has no ${family} next hop here`
      return { code: 'no-next-hop', message } as const
    }),
    ...(tooLong.length === 0 ? [] : [routeTooLong(plan.address, tooLong)]),
  ]
}

const mostNamed = 5

function routeTooLong(where: string, prefixes: readonly string[]): PeerProblem {
  const more = prefixes.length - mostNamed
  const named = prefixes.slice(0, mostNamed).join(', ')
  const all = more > 0 ? `${named} and ${counted(more, 'more prefix', 'more prefixes')}` : named
  const message = `${where}: no UPDATE has room for the communities of ${all}: not announced`
  return { code: 'route-too-long', message }
}

export function familyNotAgreed(where: string, family: Family): PeerProblem {
  const message = `${where}: the router takes no ${family} routes, so none are sent`
  return { code: 'family-not-agreed', message }
}

/** A session that is down has its own problem. */
function bfdProblems({ session, plan }: Shown, bfd: BfdSeen | undefined): PeerProblem[] {
  if (session.state !== 'Established' || bfd === undefined || !bfd.isMissing) return []
  const { view } = bfd
  const [ours, theirs] = [view?.state ?? 'not running', view?.remote ?? 'not heard']
  const trouble = view === undefined || view.trouble === '' ? '' : ` (${view.trouble})`
  const states = `ours is ${ours}, the router's ${theirs}${trouble}`
  const message = `${plan.address}: the session runs without BFD: ${states}`
  return [{ code: 'bfd-session-down', message }]
}
