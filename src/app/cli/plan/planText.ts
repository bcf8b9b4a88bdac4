// How is a plan printed? With terraform's signs: + gained, - lost, ~ changed, ! waits or wrong.

import { problemRemedies } from '../../../core/model/problem.ts'
import { counted } from '../../../core/net/counted.ts'
import { wouldAnnounce } from '../../../core/policy/announce/noReports.ts'
import { whoIsUnknown } from '../../../core/policy/announce/silence.ts'
import { conflictsIn } from '../../../core/policy/lint/lintConflicts.ts'
import type { SessionChange } from '../../../core/sim/bgpSessions.ts'
import type { HostChange, NameChange } from '../../../core/sim/hostsAndNames.ts'
import type { AddressChange, AnnouncementChange, Plan } from '../../../core/sim/plan.ts'
import type { Announced } from '../../../core/sim/snapshot.ts'
import { silenceLines } from '../silenceLines.ts'
import { visible } from '../visible.ts'
import { wrapped } from '../wrapped.ts'
import { madeSections, madeText } from './madeText.ts'

export type Style = {
  readonly isWide: boolean
  readonly isTerminal: boolean
  /** What could not be read or would be refused; the plan is incomplete then. */
  readonly troubles: readonly string[]
  /** How many objects belong to API groups that Berth does not know. */
  readonly passedOver: number
  /** Whether no speaker runs yet that could announce. */
  readonly isForeseen?: boolean
}

const signs = { gain: '+', lose: '-', move: '~', keep: ' ', wait: '!' } as const
const announceSigns = { announce: '+', withdraw: '-', change: '~' } as const
const colours: Readonly<Record<string, string>> = { '+': '32', '-': '31', '~': '33', '!': '35' }

export function planText(plan: Plan, style: Style): string {
  const shown = plan.addresses.filter((change) => style.isWide || !isAsBefore(change))
  const problems = conflictsOf(plan).filter(([{ is }]) => style.isWide || is !== 'there')
  const columns = widthOf(shown)
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Addresses', shown.flatMap((change) => addressLines(change, columns))],
    ['Announcements', announcingLines(plan, style)],
    ['BGP sessions', plan.sessions.flatMap(sessionLines)],
    ['Hosts', plan.hosts.filter(isShown(style)).flatMap(hostLines)],
    ['Names', plan.names.flatMap(nameLine)],
    ['Routes to pods', plan.routes.map(routeLine)],
    ...madeSections(plan, style),
    ['Problems', problems.flatMap(problemLines)],
  ]
  const body = sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) => `${title}\n${lines.map((line) => coloured(line, style)).join('\n')}\n\n`,
    )
  const count = style.troubles.length
  const tail =
    count === 0
      ? ''
      : `Incomplete: ${counted(count, 'item')} could not be read or would be refused.\n`
  const { passedOver } = style
  const passed =
    passedOver === 0 ? '' : `${counted(passedOver, 'object')} of other kinds skipped.\n`
  return `${body.join('')}${summary(plan)}\n${madeText(plan)}${passed}${tail}`
}

const isAsBefore = ({ action, isNew }: AddressChange): boolean =>
  action === 'keep' || (action === 'wait' && !isNew)

const widthOf = (changes: readonly AddressChange[]): number =>
  changes.reduce((widest, { service }) => Math.min(48, Math.max(widest, service.length)), 0)

function addressLines(change: AddressChange, columns: number): string[] {
  const { service, action, before, after, pool, waits } = change
  const name = service.padEnd(columns)
  const to = after.join(', ')
  // What a lost pool gave is of no pool.
  const from = pool === '' ? '' : `  from ${pool}`
  const text = {
    gain: `${before.length === 0 ? to : `${before.join(', ')} -> ${to}`}${from}`,
    lose: `${before.join(', ')}${to === '' ? '' : ` -> ${to}`}`,
    move: `${before.join(', ')} -> ${to}${from}`,
    keep: to === '' ? '' : `${to}${from}`,
    wait: change.isNew ? 'waits' : 'waits, as before',
  }[action]
  const lines = [`  ${signs[action]} ${name}  ${text}`]
  if (waits !== undefined) {
    lines.push(...wrapped(`${waits.reason}: ${waits.message}`, 6))
    lines.push(...wrapped(`remedy: ${waits.remedy}`, 6))
  } else if (action === 'lose' && to === '') {
    lines.push('      the Service is deleted, or is no longer a load balancer')
  }
  return lines
}

function announcementLines({ action, before, after }: AnnouncementChange): string[] {
  const one = after ?? before
  if (one === undefined) return []
  const head = `  ${announceSigns[action]} ${one.target} (${one.service}) ${one.protocol}`
  const was = before === undefined ? '' : whence(before)
  const is = after === undefined ? '' : whence(after)
  if (action !== 'change') {
    const text = `${head} ${after === undefined ? was : is}`
    return text.length <= 98 ? [text] : [head, ...wrapped(text.slice(head.length + 1), 6)]
  }
  return [head, ...wrapped(was, 6), ...wrapped(`-> ${is}`, 6)]
}

const sessionSigns = { open: '+', end: '-', reopen: '~' } as const
const sessionWords = {
  open: '',
  end: '',
  reopen: ': reset, its routes are withdrawn until the session is up again',
} as const

function sessionLines({ peer, action, nodes }: SessionChange): string[] {
  const head = `  ${sessionSigns[action]} ${peer}`
  const text = `from ${nodes.join(', ')}${sessionWords[action]}`
  const line = `${head}  ${text}`
  return line.length <= 98 ? [line] : [head, ...wrapped(text, 6)]
}

const isShown =
  ({ isWide }: Style) =>
  ({ action }: HostChange): boolean =>
    isWide || action !== 'keep'

function hostLines({ host, action, before, after, waits }: HostChange): string[] {
  const [was, is] = [before.join(', '), after.join(', ')]
  const isFromTo = was !== '' && is !== '' && was !== is
  const head = `  ${signs[action]} ${host}  ${isFromTo ? `${was} -> ${is}` : is || was || 'waits'}`
  return [...(head.length <= 98 ? [head] : wrappedHead(head)), ...wrapped(waits, 6)]
}

function wrappedHead(head: string): string[] {
  const at = head.indexOf('  ', 4)
  return [head.slice(0, at), ...wrapped(head.slice(at + 2), 6)]
}

function nameLine({ name, namespace, before, after }: NameChange): string[] {
  const [was, is] = [before.join(', '), after.join(', ')]
  const sign = was === '' ? '+' : is === '' ? '-' : '~'
  const text = was === '' || is === '' ? was || is : `${was} -> ${is}`
  return [`  ${sign} ${name}  ${text}  ${namespace === '' ? 'of the Site' : `in ${namespace}`}`]
}

function announcingLines(plan: Plan, { isWide, isForeseen = false }: Style): string[] {
  const shown = plan.silences.filter(({ isNew }) => isWide || isNew)
  const note = isForeseen && plan.announcements.length > 0 ? wrapped(wouldAnnounce, 4) : []
  return [
    ...note,
    ...plan.announcements.flatMap(announcementLines),
    ...silenceLines(shown),
    ...(isUnknown(plan) ? [`    ${whoIsUnknown}`] : []),
  ]
}

/** Addresses are there, and nothing is known of nodes. */
const isUnknown = ({ knowsNodes, addresses, silences }: Plan): boolean =>
  !knowsNodes && addresses.filter(({ after }) => after.length > 0).length > silences.length

const whence = ({ routes, protocol }: Announced): string =>
  routes
    .map(({ nodes, by }) => {
      const means = by === '' ? '' : ` ${protocol === 'layer2' ? 'on' : 'to'} ${by}`
      return `from ${nodes.join(', ')}${means}`
    })
    .join('; ')

/** As lint counts them: what is wrong between two objects is found on both, and told once. */
const conflictsOf = ({ problems }: Plan) =>
  conflictsIn(problems.map(({ problem, is }) => ({ ...problem, is })))

function problemLines([first, ...others]: ReturnType<typeof conflictsOf>[number]): string[] {
  const { code, object, message, is } = first
  const sign = { new: '!', gone: '-', there: ' ' }[is]
  const head = `  ${sign} ${code} ${object}`
  if (is === 'gone') return [`${head} is solved`]
  return [
    head,
    ...others.map((side) => `    and ${side.object}`),
    ...wrapped(message, 6),
    ...wrapped(`remedy: ${problemRemedies[code]}`, 6),
  ]
}

function routeLine({ pod, before, after }: Plan['routes'][number]): string {
  const sign = before.length === 0 ? '+' : after.length === 0 ? '-' : '~'
  const text = (ips: readonly string[]) => ips.join(', ') || 'none'
  return `  ${sign} ${pod}  ${sign === '+' ? '' : `${text(before)} -> `}${text(after)}`
}

function summary(plan: Plan): string {
  const { addresses, announcements, hosts, names, routes } = plan
  const of = (action: AddressChange['action']) =>
    addresses.filter((change) => change.action === action).length
  const announced = (action: AnnouncementChange['action']) =>
    announcements.filter((change) => change.action === action).length
  const wrong = conflictsOf(plan).filter(([{ is }]) => is !== 'gone').length
  const waiting = addresses.filter(({ waits }) => waits !== undefined)
  const old = waiting.filter(({ isNew }) => !isNew).length
  const asBefore = old === 0 ? '' : ` (${old} as before)`
  const changed = ['announce', 'change', 'withdraw'] as const
  const signed = changed.map((action) => `${announceSigns[action]}${announced(action)}`).join(' ')
  const told = isUnknown(plan) ? 'unknown' : `${signed}${silentText(plan)}`
  return (
    `Plan: ${of('gain')} gained, ${of('move')} moved, ${of('lose')} lost, ${of('keep')} kept, ` +
    `${waiting.length} waiting${asBefore}; announcements ${told}; ` +
    `${openstackText({ hosts, names, routes })}${counted(wrong, 'problem')}.`
  )
}

function silentText({ silences }: Plan): string {
  const old = silences.filter(({ isNew }) => !isNew).length
  const asBefore = old === 0 ? '' : ` (${old} as before)`
  return silences.length === 0 ? '' : `, ${silences.length} not announced${asBefore}`
}

type OpenstackPlan = Pick<Plan, 'hosts' | 'names' | 'routes'>

/** Nothing where there is no OpenStack. */
function openstackText({ hosts, names, routes }: OpenstackPlan): string {
  const changed = hosts.filter(({ action }) => action !== 'keep').length
  const told = [
    ...(hosts.length === 0 ? [] : [`${changed} of ${counted(hosts.length, 'host')} changed`]),
    ...(names.length === 0 ? [] : [`${counted(names.length, 'name')} changed`]),
    ...(routes.length === 0 ? [] : [`routes of ${counted(routes.length, 'pod')} changed`]),
  ]
  return told.map((text) => `${text}; `).join('')
}

function coloured(text: string, { isTerminal }: Style): string {
  const line = visible(text)
  const colour = colours[line[2] ?? '']
  return isTerminal && colour !== undefined ? `\u001b[${colour}m${line}\u001b[0m` : line
}
