// How is a pool explained to people?
import { siteMaker } from '../../../core/model/sitePools.ts'
import type { Coverage } from '../../../core/policy/explain/explainCoverage.ts'
import type { FamilyUse, PoolExplanation } from '../../../core/policy/explain/explainPool.ts'
import { wrapped } from '../wrapped.ts'
import { page, type Row, rows } from './explainPage.ts'

export function poolText(explained: PoolExplanation): string {
  const { pool, use, holdings, waiters, coverage, problems } = explained
  const held = holdings.map(({ address, services }): Row => [address, services.join(', ')])
  const waiting = waiters.map(({ service, reason, message }): Row => {
    return [service, `${reason}: ${message}`]
  })
  const wrong = problems.flatMap(({ code, object, message, remedy }) => [
    `  ! ${code} ${object}`,
    ...wrapped(message, 6),
    ...wrapped(`remedy: ${remedy}`, 6),
  ])
  return page(
    [`Pool ${pool}`, ...rows(definition(explained))],
    [
      { title: 'How full it is', lines: rows(use.map(useRow)) },
      { title: 'Who holds from it', lines: rows(held) },
      { title: 'Who waits for it, oldest first', lines: rows(waiting) },
      { title: 'What announces it', lines: rows(coverageRows(coverage)) },
      { title: 'What is wrong', lines: wrong },
    ],
  )
}

function definition(explained: PoolExplanation): Row[] {
  const { tenant, madeFrom, scope } = explained
  const made = madeFrom === '' ? '' : ', made from it'
  const restrictions = [
    ...scope.namespaces.map((name) => `namespace ${name}`),
    ...scope.namespaceSelectors.map((text) => `namespaces with ${text}`),
    ...scope.serviceSelectors.map((text) => `Services with ${text}`),
  ]
  const { priority } = explained
  const isOfSite = madeFrom === siteMaker
  const noTenant = isOfSite ? `none: made from ${siteMaker}` : 'none: it is open'
  const everybody = isOfSite ? 'the Service of the Site' : 'every Service that may use it'
  return [
    ['ranges', explained.ranges.join(', ')],
    ['answers to', explained.answersTo.join(', ')],
    ['tenant', tenant === '' ? noTenant : `${tenant}${made}`],
    ['serves', restrictions.join(', ') || everybody],
    ['priority', priority === 0 ? '0 (last)' : `${priority}`],
    ['autoAssign', explained.autoAssign ? 'yes' : 'no: only for those who ask for it'],
    ['avoidBuggyIPs', explained.avoidBuggyIPs ? 'yes: not .0 and .255' : 'no'],
    [
      'when full',
      explained.whenFull === 'wait' ? 'Services wait for it' : 'the next pool is tried',
    ],
  ]
}

export function useRow({ family, capacity, held, reserved, elsewhere, free }: FamilyUse): Row {
  const parts = [
    `${held} held`,
    ...(reserved === 0 ? [] : [`${reserved} reserved`]),
    ...(elsewhere === 0 ? [] : [`${elsewhere} in use elsewhere`]),
    `${free} free`,
  ]
  return [family, `${capacity} ${capacity === 1n ? 'address' : 'addresses'}: ${parts.join(', ')}`]
}

function coverageRows({ layer2, bgp }: Coverage): Row[] {
  const rest = (isChoosy: boolean) => (isChoosy ? ', for Services with its labels' : '')
  const from = (nodes: readonly string[]) => `from ${nodes.join(', ') || 'no node'}`
  return [
    ...layer2.map(({ name, nodes, interfaces, isChoosy }): Row => {
      const on = interfaces.length === 0 ? 'on every interface' : `on ${interfaces.join(', ')}`
      return [`L2Advertisement ${name}`, `${from(nodes)} ${on}${rest(isChoosy)}`]
    }),
    ...bgp.map(({ name, nodes, peers, inert, isChoosy }): Row => {
      const to = `to ${peers.join(', ') || 'no peer'}`
      const nothing = inert.length === 0 ? '' : `; it does nothing: ${inert.join(', ')}`
      return [`BGPAdvertisement ${name}`, `${from(nodes)} ${to}${rest(isChoosy)}${nothing}`]
    }),
  ]
}
