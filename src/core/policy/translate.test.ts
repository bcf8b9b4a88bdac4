import { expect, test } from 'vitest'
import { pool, service, worldOf } from '../../../test/build/announcing.ts'
import { prefix, tenant } from '../../../test/build/wires.ts'
import type { Tenant } from '../model/tenant.ts'
import { requestOf } from './addressRequest.ts'
import { translate } from './translate.ts'

const made = tenant(
  'os2',
  {
    name: 'internalapi',
    cidrs: ['172.27.0.0/24', 'fd27::/64'],
    loadBalancer: ['172.27.0.80-172.27.0.90', 'fd27::80-fd27::90'],
  },
  { name: 'storage', cidrs: ['172.29.0.0/24'], loadBalancer: ['172.29.0.80-172.29.0.90'] },
)
const from: Readonly<Record<string, string[]>> = {
  internalapi: ['172.17.0.0/24', 'fd17::/64'],
  storage: ['172.18.0.0/16'],
}
const translating = (given: Partial<Tenant> = {}): Tenant => ({
  ...made,
  requestedAddresses: 'Translate',
  networks: made.networks.map((network) => ({
    ...network,
    translateFrom: (from[network.name] ?? []).map(prefix),
  })),
  ...given,
})

type Case = { asks: string; name?: string; tenant?: Partial<Tenant>; answer: string }
const cases: Case[] = [
  { asks: '172.17.0.85', answer: '172.27.0.85' },
  { asks: '172.17.0.85', name: 'internalapi', answer: '172.27.0.85' },
  { asks: '172.17.0.85', name: 'os2-internalapi', answer: '172.27.0.85' },
  { asks: '172.17.0.85', name: 'storage', answer: 'translation-does-not-fit' },
  { asks: '172.27.0.81', answer: '172.27.0.81' },
  { asks: '172.17.0.91', answer: 'translation-does-not-fit' },
  { asks: '172.18.1.85', answer: 'translation-does-not-fit' },
  { asks: '192.0.2.1', answer: 'translation-does-not-fit' },
  { asks: '192.0.2.1', tenant: { openPools: true }, answer: '192.0.2.1' },
  { asks: '198.51.100.1', tenant: { openPools: true }, answer: 'translation-does-not-fit' },
  { asks: '172.17.0.91', tenant: { openPools: true }, answer: 'translation-does-not-fit' },
  { asks: '172.17.0.85', tenant: { requestedAddresses: 'Strict' }, answer: '172.17.0.85' },
]

test.each(cases)(
  '[R4.11] $asks by $name with $tenant: $answer',
  ({ asks, name = '', tenant, answer }) => {
    const view = service('web', [], {
      namespace: 'os2',
      key: 'os2/web',
      asksByField: asks,
      asksPool: name,
    })
    const world = worldOf(translating(tenant), pool('open', ['192.0.2.0/28']), view)
    const meant = translate(world, requestOf(world, view))
    expect(meant.ok ? meant.addresses.join() : meant.reason).toBe(answer)
  },
)

test('[R4.11] each address of a pair in its family', () => {
  const view = service('web', [], {
    namespace: 'os2',
    key: 'os2/web',
    clusterFamilies: ['IPv4', 'IPv6'],
    familyPolicy: 'RequireDualStack',
    asksByAnnotation: '172.17.0.85,fd17::85',
  })
  const world = worldOf(translating(), view)
  const meant = translate(world, requestOf(world, view))
  expect(meant.ok && meant.addresses).toEqual(['172.27.0.85', 'fd27::85'])
})
