// How is it told who announces what, and why others do not?

import { isEstablished, isSent } from '../../../core/model/bgpSession.ts'
import { attributeTexts } from '../../../core/policy/announce/attributesText.ts'
import { wouldAnnounce } from '../../../core/policy/announce/noReports.ts'
import { whoIsUnknown } from '../../../core/policy/announce/silence.ts'
import type { Announced, Announcing } from '../../../core/policy/explain/explainAnnouncing.ts'
import { wrapped } from '../wrapped.ts'
import { hanging, type Section } from './explainPage.ts'

/** `isForeseen`: no speaker runs that could do what is told. */
export function announcingSection(announcing: Announcing, isForeseen = false): Section {
  const { election, nodes, refusals, isUnknown } = announcing
  if (isUnknown) return { title, lines: [`  ${whoIsUnknown}`] }
  const width = Math.max(0, ...nodes.map(({ node }) => node.length))
  const told = nodes.flatMap(({ node, announces, refusals }) => [
    ...announces.map((one) => ({ head: `  + ${node.padEnd(width)}  `, text: announced(one) })),
    ...refusals.map(({ protocol, reason, message }) => ({
      head: `  - ${node.padEnd(width)}  `,
      text: `${spoken(protocol)}${reason}: ${message}`,
    })),
  ])
  const general = refusals.map(({ protocol, reason, message }) => ({
    head: `  - ${noNode.padEnd(width)}  `,
    text: `${spoken(protocol)}${reason}: ${message}`,
  }))
  const places = `layer 2 goes to ${election.join(', then ')}`
  const order = election.length > 1 ? wrapped(places, 2) : []
  const isAnnounced = nodes.some(({ announces }) => announces.length > 0)
  const note = isForeseen && isAnnounced ? wrapped(wouldAnnounce, 2) : []
  return {
    title,
    lines: [
      ...note,
      ...order,
      ...[...told, ...general].flatMap(({ head, text }) => hanging(head, text)),
    ],
  }
}

const title = 'Who announces it'
/** As it stands where a node would. */
export const noNode = 'no node'

/** The node stands before it. */
export function announced(one: Announced): string {
  if (one.protocol === 'layer2') {
    const on = one.interfaces.length === 0 ? '' : ` on ${one.interfaces.join(', ')}`
    return `layer2 ${one.address}${on}`
  }
  const { communities } = one
  const attributes = [
    ...attributeTexts(one),
    ...(communities.length === 0 ? [] : [`communities ${communities.join(', ')}`]),
  ]
  const how = attributes.length === 0 ? '' : ` (${attributes.join('; ')})`
  return `bgp ${one.prefix} to ${one.peer}${how}${carried(one.prefix, one.session)}`
}

function carried(prefix: string, session: Announced['session']): string {
  if (session === undefined) return ''
  const since = session.since === '' ? '' : ` since ${session.since}`
  const isLacking = !isSent(prefix, session)
  const lacking = isLacking ? `, but ${familyIn(prefix)} routes are not sent on it` : ''
  if (isEstablished(session)) return `: Established${since}${lacking}`
  const why = session.lastError === undefined ? '' : `, ${session.lastError.message}`
  return `: no session${since}${why}`
}

const familyIn = (prefix: string): string => (prefix.includes(':') ? 'IPv6' : 'IPv4')

const spoken = (protocol: string | undefined): string => (protocol ? `${protocol} ` : '')
