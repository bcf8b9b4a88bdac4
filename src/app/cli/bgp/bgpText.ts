// How do sessions and routes fit on a terminal? Under 100 columns, unless all is asked for.
import type { BgpSession } from '../../../core/model/bgpSession.ts'
import { attributeTexts } from '../../../core/policy/announce/attributesText.ts'
import type { BgpRoute } from '../../../core/policy/status/bgpRoutes.ts'
import type { ToldRoute } from '../../../core/policy/status/toldRoutes.ts'
import { aligned } from '../aligned.ts'
import { spanSince } from '../span.ts'

type Style = { readonly isWide: boolean; readonly nowMs: number }

const columns = 99
const longestName = 20

export function peersText(sessions: readonly BgpSession[], { isWide, nowMs }: Style): string {
  if (sessions.length === 0) return 'no node reports a BGP session\n'
  const more = ['VRF', 'LOCAL', 'REMOTE', 'HOLD', 'KEEPALIVE', 'FAMILIES', 'LAST ERROR']
  const head = ['NODE', 'PEER', 'AS', 'STATE', 'SINCE', 'SENT', 'RECEIVED', 'BFD']
  const rows = sessions.map((one) => [
    ...[name(one.node, isWide), name(one.peer, isWide), one.peerASN === 0 ? '-' : `${one.peerASN}`],
    ...[one.bgpStatus, spanSince(one.since, nowMs) || '-'],
    ...[`${one.routesSent}`, `${one.updatesReceived}`, one.bfdStatus],
    ...(isWide ? wideCells(one) : []),
  ])
  return table([isWide ? [...head, ...more] : head, ...rows], isWide)
}

const wideCells = ({ vrf, localAddress, ...session }: BgpSession): string[] => [
  ...[vrf || '-', localAddress || '-', withPort(session)],
  ...[session.agreed?.holdTime ?? '-', session.agreed?.keepaliveTime ?? '-'],
  ...[session.agreed?.families.join(',') ?? '-', session.lastError?.message ?? '-'],
]

const withPort = ({ peerAddress, peerPort }: Pick<BgpSession, 'peerAddress' | 'peerPort'>) =>
  peerAddress.includes(':') ? `[${peerAddress}]:${peerPort}` : `${peerAddress}:${peerPort}`

export function routesText(routes: readonly BgpRoute[], { isWide }: Style): string {
  if (routes.length === 0) return 'no node announces a route by BGP\n'
  const head = ['PREFIX', 'NODE', 'PEER', 'STATE']
  const more = ['LOCALPREF', 'COMMUNITIES', 'OTHERS']
  const rows = routes.map(({ prefix, node, peer, state, services, ...terms }) => [
    ...[prefix, name(node, isWide), name(peer, isWide), state],
    ...(isWide ? termCells(terms) : []),
    services.join(','),
  ])
  return table([[...head, ...(isWide ? more : []), 'SERVICES'], ...rows], isWide)
}

export function toldText(routes: readonly ToldRoute[], { isWide }: Style): string {
  if (routes.length === 0) return 'the speaker has sent no route\n'
  const head = ['PREFIX', 'PEER', 'NEXT HOP', 'LOCALPREF', 'COMMUNITIES', 'OTHERS']
  const rows = routes.map(({ prefix, peer, nextHop, ...terms }) => [
    ...[prefix, name(peer, isWide), nextHop, ...termCells(terms)],
  ])
  return table([head, ...rows], isWide)
}

/** MED, prepended path and link bandwidth are rare: they share a column. */
const termCells = ({ localPref, communities, ...others }: Omit<ToldRoute, 'nextHop' | Where>) => [
  ...[`${localPref ?? '-'}`, communities.join(',') || '-'],
  attributeTexts({ localPref: undefined, ...others }).join(', ') || '-',
]
type Where = 'prefix' | 'node' | 'peer'

const name = (text: string, isWide: boolean): string => (isWide ? text : cut(text, longestName))

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 3)}...`

const table = (rows: readonly (readonly string[])[], isWide: boolean): string =>
  aligned(rows)
    .map((line) => `${isWide ? line : cut(line, columns)}\n`)
    .join('')
