// What is the state of the lab? Nodes and their speakers, which node announces what, and failures.

import { Fault } from '../../edge/kube/api/fault.ts'
import { isRecord } from '../../edge/kube/decode/fields.ts'
import { ask } from './ask.ts'
import type { Announced } from './inside/announced.ts'
import { type Lab, nodesOf } from './lab.ts'
import { portOn } from './machine.ts'
import { routedBy } from './routedBy.ts'
import { taskOf } from './tasks.ts'

type Row = readonly string[]

export function statusOf(lab: Lab): string {
  const found = askAnnounced(lab)
  const isKnown = Array.isArray(found)
  const routed = lab.settings.router === 'none' ? undefined : routedBy(lab)
  const known: readonly Announced[] = isKnown ? found.map((one) => withRoutes(one, routed)) : []
  return [
    table([['NODE', 'LAN', 'MAC', 'SPEAKER', 'ANNOUNCES'], ...nodeRows(lab, isKnown, known)]),
    isKnown
      ? table([['SERVICE', 'ADDRESSES', 'ANNOUNCED BY'], ...known.slice(0, shown).map(serviceRow)])
      : `Services unknown: ${String(found)}\n`,
    ...(known.length > shown ? [`and ${known.length - shown} more\n`] : []),
    lab.failures.length === 0
      ? 'Nothing is broken.\n'
      : `Broken: ${lab.failures.map(({ kind, name }) => `${kind} ${name}`.trim()).join(', ')}. ` +
        "Repair it with 'berth lab heal'.\n",
  ].join('\n')
}

/** By BGP, whoever the routers send to. */
function withRoutes(one: Announced, routed: ReturnType<typeof routedBy> | undefined): Announced {
  if (routed === undefined) return one
  const nodes = one.addresses.flatMap((address) => routed.get(address) ?? [])
  return { ...one, nodes: [...new Set(nodes)].sort() }
}

/** Nobody reads more. */
const shown = 20

/** The announcements, or why they are unknown. */
function askAnnounced(lab: Lab): readonly Announced[] | string {
  if (lab.failures.some(({ kind }) => kind === 'api')) return 'the API is cut off'
  try {
    const told = ask(lab, 'control', 'announced')
    return Array.isArray(told) ? told.filter(isAnnounced) : 'the API did not answer'
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return error.message.replace(/^.*berth: /s, '')
  }
}

const isAnnounced = (json: unknown): json is Announced =>
  isRecord(json) && Array.isArray(json['nodes']) && Array.isArray(json['addresses'])

function nodeRows(lab: Lab, isKnown: boolean, known: readonly Announced[]): Row[] {
  return nodesOf(lab).map((machine) => {
    const { name } = machine
    const port = portOn(machine, 'lan')
    const count = known.filter(({ nodes }) => nodes.includes(name)).length
    return [
      name,
      port?.addresses[4] ?? '',
      port?.mac ?? '',
      taskOf(lab, 'speaker', name) === undefined ? 'not running' : 'running',
      isKnown ? String(count) : '?',
    ]
  })
}

const serviceRow = ({ service, addresses, nodes }: Announced): Row => [
  service,
  addresses.join(', ') || 'none yet',
  nodes.join(', ') || 'nobody',
]

function table(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}
