// How does the state of a cluster fit on one screen? Long lists are cut, and the rest is counted.
import type { Severity } from '../../../core/model/problem.ts'
import { counted } from '../../../core/net/counted.ts'
import { whoIsUnknown } from '../../../core/policy/announce/silence.ts'
import type { Conflict } from '../../../core/policy/lint/lintConflicts.ts'
import type { LintSummary } from '../../../core/policy/lint/lintView.ts'
import type { ClusterStatus, PoolUse, Waiter } from '../../../core/policy/status/clusterStatus.ts'
import type { StatusParts } from '../../../core/policy/status/statusView.ts'
import { aligned } from '../aligned.ts'
import { silenceLines } from '../silenceLines.ts'
import { span, spanSince } from '../span.ts'
import { visible } from '../visible.ts'
import { wrapped } from '../wrapped.ts'

export type Shown = StatusParts & {
  readonly namespace: string
  readonly nowMs: number
  /** What `berth lint --live` reports, of which the Services that wait are shown above. */
  readonly lint: {
    readonly conflicts: readonly Conflict[]
    readonly summary: Pick<LintSummary, 'errors' | 'warnings'>
  }
}

const mostWaiting = 10
const mostProblems = 5
const mostAttention = 5
const mostRows = 20

export function statusText(shown: Shown, isColoured: boolean): string {
  const { status } = shown
  const sections = [
    [headText(shown)],
    attentionLines(shown),
    partLines(shown),
    servicesLines(status, shown.nowMs),
    poolLines(status.pools),
    tenantLines(status),
    hostLines(status),
    nameLines(status),
    routeLines(status),
    announcerLines(shown),
    bgpLines(shown),
    problemLines(shown),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${painted(line, isColoured)}\n`).join(''))
    .join('\n')}`
}

/** Red: an error, or what keeps Berth from its work. */
const colours = [
  { of: /^ {2}(?:!|error) |, no leader:/, code: '31' },
  { of: /^ {2}warning /, code: '33' },
] as const

function painted(text: string, isColoured: boolean): string {
  const line = visible(text)
  const colour = isColoured ? colours.find(({ of }) => of.test(line)) : undefined
  return colour === undefined ? line : `\u001b[${colour.code}m${line}\u001b[0m`
}

const headText = (shown: Shown): string => `berth ${shown.version}, ${leaderText(shown)}`

const marks = { well: ' ', unknown: ' ', failing: '!' } as const

function partLines({ parts }: Shown): string[] {
  if (parts === 'unread') return []
  return aligned([
    ['Parts'],
    ...parts.map(({ part, state, message }) => [`  ${marks[state]} ${part}`, message]),
  ])
}

function leaderText({ leader, namespace, standby }: Shown): string {
  if (leader === 'unread') return 'the leader could not be read'
  if (leader === 'nobody') return `no leader: the Lease in ${namespace} has no holder`
  const { holder, ageSeconds, isExpired } = leader
  const renewed = `renewed ${span(ageSeconds)} ago`
  return isExpired
    ? `no leader: the Lease of ${holder} expired, ${renewed}`
    : `leader ${holder}, ${renewed}${standby === undefined ? '' : `, ${standby} on standby`}`
}

/** The same of many nodes or Services is counted. */
function attentionLines({ attention }: Shown): string[] {
  if (attention === 'unread' || attention.length === 0) return []
  return [
    `Attention  ${counted(attention.length, 'condition')}`,
    ...attention
      .slice(0, mostAttention)
      .flatMap(({ word, object, message }) => [`  ! ${word} ${object}`, ...wrapped(message, 6)]),
    ...rest(attention, mostAttention),
  ]
}

function servicesLines({ served, waiting, announcing }: ClusterStatus, nowMs: number): string[] {
  const { silences, isUnknown } = announcing
  const silent = silences.length === 0 ? '' : `, ${silences.length} not announced`
  const unknown = isUnknown ? `, announcements ${whoIsUnknown}` : ''
  const first = waiting.slice(0, mostWaiting)
  return [
    `Services  ${served} served, ${waiting.length} waiting${silent}${unknown}`,
    ...waitingLines(first, nowMs),
    ...rest(waiting, mostWaiting),
    ...silenceLines(silences, mostWaiting),
  ]
}

/** What is mended in one place is told once; the longest wait first. */
function waitingLines(waiting: readonly Waiter[], nowMs: number): string[] {
  const groups = new Map<string, string[]>()
  for (const one of waiting) {
    const why = whyLines(one).join('\n')
    const waited = spanSince(one.since, nowMs)
    const head = `  ! ${one.service} waits${waited === '' ? '' : ` for ${waited}`}`
    groups.set(why, [...(groups.get(why) ?? []), head])
  }
  return [...groups].flatMap(([why, heads]) => [...heads, ...why.split('\n')])
}

function whyLines({ reason, message, remedy }: Waiter): string[] {
  const why = reason === undefined ? message : `${reason}: ${message}`
  return [...wrapped(why, 6), ...(remedy === undefined ? [] : wrapped(`remedy: ${remedy}`, 6))]
}

function poolLines(pools: readonly PoolUse[]): string[] {
  if (pools.length === 0) return ['Pools  none']
  const cell = (use: PoolUse['IPv4']) => (use ? `${use.used} used, ${bounded(use.free)} free` : '-')
  const rows = pools.map(({ name, IPv4, IPv6 }) => [name, cell(IPv4), cell(IPv6)] as const)
  return table(['Pools', 'IPv4', 'IPv6'], rows)
}

function tenantLines({ tenants }: ClusterStatus): string[] {
  const rows = tenants.map(({ name, used, quota }) => [
    name,
    quota === undefined ? `${used} used, no quota` : `${used} of ${quota} used`,
  ])
  return rows.length === 0 ? [] : table(['Tenants', 'addresses'], rows)
}

/** Nothing where there is no OpenStack. */
function hostLines({ hosts: { ready, waiting } }: ClusterStatus): string[] {
  if (ready + waiting.length === 0) return []
  const first = waiting.slice(0, mostWaiting)
  return [
    `Hosts  ${ready} ready, ${waiting.length} waiting`,
    ...first.flatMap(({ host, message }) => [`  ! IPSet ${host}`, ...wrapped(message, 6)]),
    ...rest(waiting, mostWaiting),
  ]
}

function nameLines({ names }: ClusterStatus): string[] {
  if (names.length === 0) return []
  const rows = names.map(({ server, isReady, addresses, message }) => [
    server,
    isReady ? 'ready' : message,
    addresses.join(', '),
  ])
  return table(['Names', 'state', 'answers at'], rows)
}

function routeLines({ routes }: ClusterStatus): string[] {
  if (routes.length === 0) return []
  // Why not stands among the problems.
  const rows = routes.map(({ configuration, isReady, routes: count }) => [
    configuration,
    isReady ? 'ready' : 'not ready',
    String(count),
  ])
  return table(['Routes to pods', 'state', 'pods'], rows)
}

function announcerLines({ announcers }: Shown): string[] {
  if (announcers === 'unread') return []
  if (announcers.length === 0) return ['Layer 2  no node announces']
  const rows = announcers.map(({ node, services, interfaces }) => [
    node,
    `${services} announced`,
    interfaces.join(', ') || 'none is up',
  ])
  return table(['Layer 2', 'Services', 'interfaces'], rows)
}

function bgpLines({ bgp }: Shown): string[] {
  if (bgp === 'unread' || bgp.length === 0) return []
  const rows = bgp.map(({ node, services, up, down }) => [
    node,
    `${services} announced`,
    [
      `${up.length} up`,
      ...(down.length === 0 ? [] : [`${down.length} down: ${down.join(', ')}`]),
    ].join(', '),
  ])
  return table(['BGP', 'Services', 'sessions'], rows)
}

function problemLines({ lint: { conflicts, summary }, status }: Shown): string[] {
  const { errors, warnings } = summary
  if (errors + warnings === 0) return ['Problems  none']
  const { waiting, announcing } = status
  const told = new Set([
    ...waiting.map(({ service, reason }) => `${reason} Service/${service}`),
    ...announcing.silences.map(({ service }) => `not-announced Service/${service}`),
  ])
  const others = conflicts
    .map(([first]) => first)
    .filter(({ code, object }) => !told.has(`${code} ${object}`))
    .sort((one, other) => weightOf(one) - weightOf(other))
  const shown = conflicts.length - others.length
  const above = shown === 0 ? '' : `, ${shown} of them shown above`
  const counts = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}${above}`
  return [
    `Problems  ${counts}; run berth lint --live for details`,
    ...others
      .slice(0, mostProblems)
      .flatMap(({ severity, code, object, message }) => [
        `  ${severity} ${code} ${object}`,
        ...wrapped(message, 6),
      ]),
    ...rest(others, mostProblems),
  ]
}

const weightOf = ({ severity }: { readonly severity: Severity }): number =>
  severity === 'error' ? 0 : 1

const rest = (all: readonly unknown[], most: number): string[] =>
  all.length <= most ? [] : [`  and ${all.length - most} more`]

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const shown = [
    head,
    ...rows.slice(0, mostRows).map(([name = '', ...more]) => [`  ${name}`, ...more]),
  ]
  return [...aligned(shown), ...rest(rows, mostRows)]
}

const bounded = (free: bigint): string => (free < 1_000_000n ? String(free) : 'over 1000000')
