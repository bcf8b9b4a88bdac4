// How does a plan tell what is made from Tenants and the Site, and what it does to nodes?
import { counted } from '../../../core/net/counted.ts'
import type { InterfaceChange, NodeRouteChange } from '../../../core/sim/hostNetworks.ts'
import type { MadeChange, UnmadeChange } from '../../../core/sim/madeObjects.ts'
import type { Plan } from '../../../core/sim/plan.ts'
import { wrapped } from '../wrapped.ts'

const signs = {
  ...{ create: '+', change: '~', delete: '-' },
  ...{ gain: '+', lose: '-' },
} as const

type Wide = { readonly isWide: boolean }

export const madeSections = (
  plan: Plan,
  { isWide }: Wide,
): readonly (readonly [string, readonly string[]])[] => [
  [
    'Made from Tenants and the Site',
    [
      ...plan.made.flatMap(madeLines),
      ...plan.unmade.filter(({ isNew }) => isWide || isNew).flatMap(unmadeLines),
    ],
  ],
  ['Interfaces of nodes', plan.interfaces.flatMap(interfaceLines)],
  ['Routes of all nodes', plan.nodeRoutes.map(routeLine)],
]

function madeLines({ object, maker, action, fields }: MadeChange): readonly string[] {
  return [
    `  ${signs[action]} ${object}  from ${maker}`,
    ...fields.flatMap(({ path, before, after }) =>
      wrapped(`${path}: ${before || 'none'} -> ${after || 'none'}`, 6),
    ),
  ]
}

function unmadeLines({ maker, message, objects }: UnmadeChange): readonly string[] {
  const [first = '', ...rest] = objects
  const more = rest.length === 0 ? '' : ` and ${counted(rest.length, 'more object')}`
  return [`  ! ${first}${more}  from ${maker}`, ...wrapped(`not made: ${message}`, 6)]
}

function interfaceLines(change: InterfaceChange): readonly string[] {
  const { node, action, before, after } = change
  const texts = [before, after].filter((all) => all.length > 0).map((all) => all.join(', '))
  const head = `  ${signs[action]} ${node} ${change.interface}`
  const line = `${head}  ${texts.join(' -> ')}`
  return line.length <= 98 ? [line] : [head, ...wrapped(texts.join(' -> '), 6)]
}

const routeLine = ({ action, route }: NodeRouteChange): string => `  ${signs[action]} ${route}`

/** A line of its own; none where no Tenant and no Site makes anything. */
export function madeText({ made, unmade, interfaces, nodeRoutes }: Plan): string {
  const of = (action: MadeChange['action']) => made.filter((one) => one.action === action).length
  const lacking = unmade.reduce((sum, { objects }) => sum + objects.length, 0)
  const counts = [made, interfaces, nodeRoutes].map(({ length }) => length)
  if (lacking === 0 && counts.every((count) => count === 0)) return ''
  const told = [
    `${of('create')} created, ${of('change')} changed, ${of('delete')} deleted`,
    ...(lacking === 0 ? [] : [`${lacking} not made`]),
    ...(interfaces.length === 0 ? [] : [`${counted(interfaces.length, 'interface')} changed`]),
    ...(nodeRoutes.length === 0 ? [] : [`${counted(nodeRoutes.length, 'route')} changed`]),
  ]
  return `Objects: ${told.join('; ')}.\n`
}
