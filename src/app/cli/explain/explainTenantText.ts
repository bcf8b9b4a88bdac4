// How is a tenant explained to people?

import { refText } from '../../../core/model/ref.ts'
import type {
  NetworkExplanation,
  TenantExplanation,
} from '../../../core/policy/explain/explainTenant.ts'
import { wrapped } from '../wrapped.ts'
import { page, type Row, rows } from './explainPage.ts'
import { useRow } from './explainPoolText.ts'

export function tenantText(explained: TenantExplanation): string {
  const { tenant, networks, holdings, waiters, objects, problems } = explained
  const held = holdings.map(({ service, addresses }): Row => [service, addresses.join(' and ')])
  const waiting = waiters.map(({ service, reason, message }): Row => {
    return [service, `${reason}: ${message}`]
  })
  const made = objects.map(({ of, state, message }): Row => {
    return [refText(of), message === '' ? state : `${state}: ${message}`]
  })
  const wrong = problems.flatMap(({ code, object, message, remedy }) => [
    `  ! ${code} ${object}`,
    ...wrapped(message, 6),
    ...wrapped(`remedy: ${remedy}`, 6),
  ])
  return page(
    [`Tenant ${tenant}`, ...rows(definition(explained))],
    [
      ...networks.map((network) => ({
        title: `Network ${network.name}`,
        lines: rows(networkRows(network)),
      })),
      { title: 'Who holds an address', lines: rows(held) },
      { title: 'Who waits, oldest first', lines: rows(waiting) },
      { title: 'What is made from it', lines: rows(made) },
      { title: 'What is wrong', lines: wrong },
    ],
  )
}

function definition(explained: TenantExplanation): Row[] {
  const { namespaces, selector, services, use } = explained
  const labelled = selector === '' ? '' : `, and those with ${selector}`
  return [
    ['namespaces', `${namespaces.join(', ') || 'none'}${labelled}`],
    ['Services', services.join(', ')],
    [
      'addresses',
      use.quota === undefined ? `${use.used}, no quota` : `${use.used} of ${use.quota}`,
    ],
    ['requests', requests[explained.requestedAddresses] ?? explained.requestedAddresses],
    ['open pools', explained.openPools ? 'used too' : 'not used'],
  ]
}

/** What becomes of an address that a Service asks for (R4.10 to R4.12). */
const requests: Readonly<Record<string, string>> = {
  Strict: 'Strict: exactly the requested address, or none',
  Translate: 'Translate: the same place in its own network',
  Ignore: 'Ignore: any address',
}

function networkRows(network: NetworkExplanation): Row[] {
  const { cidrs, translateFrom, vlan, loadBalancer, pool, use, announce } = network
  return [
    ['prefixes', cidrs.join(', ')],
    ['translated', translateFrom.length === 0 ? '' : `from ${translateFrom.join(', ')}`],
    [
      'on',
      [network.interface, vlan === undefined ? '' : `VLAN ${vlan}`].filter(Boolean).join(', '),
    ],
    ['addresses', loadBalancer.join(', ') || 'none for Services'],
    ['announced by', announce === 'None' ? 'nothing that Berth makes' : announce],
    ['pool', pool],
    ...use.map(useRow),
  ]
}
