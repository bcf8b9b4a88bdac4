// How does the state of a cluster fit on one screen? Long lists are cut, and the rest is counted.
import { counted } from '../../../core/net/counted.ts'
import type { ClusterStatus, PoolUse, Waiter } from '../../../core/policy/status/clusterStatus.ts'
import type { StatusParts } from '../../../core/policy/status/statusView.ts'
import { aligned } from '../aligned.ts'
import { span, spanSince } from '../span.ts'
import { wrapped } from '../wrapped.ts'

export type Shown = StatusParts & {
  readonly namespace: string
  readonly nowMs: number
}

const mostWaiting = 10
const mostProblems = 5
const mostAttention = 5
const mostRows = 20

export function statusText(shown: Shown): string {
  const { version, status } = shown
  const sections = [
    [`berth ${version}, ${leaderText(shown)}`],
    attentionLines(shown),
    servicesLines(status, shown.nowMs),
    poolLines(status.pools),
    tenantLines(status),
    hostLines(status),
    nameLines(status),
    announcerLines(shown),
    bgpLines(shown),
    problemLines(status),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')}`
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

function servicesLines({ served, waiting }: ClusterStatus, nowMs: number): string[] {
  const head = `Services  ${served} served, ${waiting.length} waiting`
  const first = waiting.slice(0, mostWaiting)
  return [head, ...first.flatMap((one) => waiterLines(one, nowMs)), ...rest(waiting, mostWaiting)]
}

function waiterLines({ service, since, reason, message }: Waiter, nowMs: number): string[] {
  const waited = spanSince(since, nowMs)
  const age = waited === '' ? '' : ` for ${waited}`
  const why = reason === undefined ? message : `${reason}: ${message}`
  return [`  ! ${service} waits${age}`, ...wrapped(why, 6)]
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

function problemLines({ problems }: ClusterStatus): string[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity === 'warning')
  if (problems.length === 0) return ['Problems  none']
  const ordered = [...errors, ...warnings]
  const counts = [counted(errors.length, 'error'), counted(warnings.length, 'warning')].join(', ')
  return [
    `Problems  ${counts}; run berth lint --live for details`,
    ...ordered
      .slice(0, mostProblems)
      .flatMap(({ severity, code, object, message }) => [
        `  ${severity} ${code} ${object}`,
        ...wrapped(message, 6),
      ]),
    ...rest(ordered, mostProblems),
  ]
}

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
