import { expect, test } from 'vitest'
import { pool, service, worldOf } from '../../../../test/build/announcing.ts'
import { netConfig, tenant } from '../../../../test/build/wires.ts'
import type { Tenant } from '../../model/tenant.ts'
import type { View } from '../../model/view.ts'
import { foresee } from './foresee.ts'

const everything = { matchLabels: {}, matchExpressions: [] }
const cidrs = ['172.27.0.0/24']
const lan = pool('lan', ['10.0.0.0/24'])
const south = tenant('south', { cidrs, loadBalancer: ['172.27.0.80-172.27.0.90'] })
const greedy: Tenant = { ...tenant('greedy'), namespaces: [], selector: everything }
const inSouth = (name: string, ip: string) =>
  service(name, [ip], { key: `south/${name}`, namespace: 'south' })
const world = worldOf(
  lan,
  south,
  service('api', ['10.0.0.200']),
  service('db', ['10.0.0.2']),
  service('web', ['10.0.0.1']),
  service('waits', []),
  inSouth('front', '172.27.0.80'),
)
const shown = { ...pool('south-internalapi', ['172.27.0.80-172.27.0.90']), madeFrom: 'south' }
const allocation = {
  ...{ priority: 0, namespaces: ['south'], namespaceSelectors: [], serviceSelectors: [] },
}

const network = {
  ...{ name: 'InternalApi', dnsDomain: '', mtu: 1500, serviceNetwork: 'internalapi', subnets: [] },
}

const lose = 'would lose or change'
const others = 'berth plan names the others'
const three = (why: string): string =>
  `3 Services ${lose} their address, the first is default/api (10.0.0.200): ${why}; ${others}`
const all = three('address-not-in-pool: no pool contains 10.0.0.200')
const closed = three('pool-not-allowed: pool lan does not serve namespace default')
const fenced = three(
  'pool-not-allowed: tenant greedy uses only its own pools, and pool lan belongs to no tenant',
)
const front = `1 Service ${lose} its address: south/front (172.27.0.80)`
const outside = `${front}: address-not-in-pool: no pool contains 172.27.0.80`
const another = `${front}: pool-of-another-tenant: pool south-internalapi belongs to tenant south`
const written: readonly (readonly [string, View, string[]])[] = [
  ['the pool as it is', lan, []],
  ['a larger pool', pool('lan', ['10.0.0.0/23']), []],
  [
    'a pool without the upper half',
    pool('lan', ['10.0.0.0/25']),
    [
      `1 Service ${lose} its address: default/api (10.0.0.200): ` +
        'address-not-in-pool: no pool contains 10.0.0.200',
    ],
  ],
  ['a pool of other addresses', pool('lan', ['10.0.1.0/24']), [all]],
  ['a pool for others', pool('lan', ['10.0.0.0/24'], { allocation }), [closed]],
  ['a pool that is not for everybody', pool('lan', ['10.0.0.0/24'], { autoAssign: false }), []],
  ['another pool', pool('dmz', ['10.0.9.0/24']), []],
  ['a tenant that takes every namespace', greedy, [fenced]],
  ['one that takes them with their pools', { ...greedy, openPools: true }, []],
  ['one that takes what a tenant has by name', { ...greedy, selector: undefined }, []],
  [
    'a tenant with other ranges',
    tenant('south', { cidrs, loadBalancer: ['172.27.0.90/32'] }),
    [outside],
  ],
  ['a tenant that leaves its namespace', { ...south, namespaces: ['north'] }, [another]],
  ['a tenant that says more', { ...south, quota: 1 }, []],
  ['an edit of its pool, which is undone', { ...shown, ranges: lan.ranges }, []],
  [
    'a NetConfig with an MTU that no host can set',
    { ...netConfig('openstack'), networks: [{ ...network, mtu: 5 }] },
    ['spec.networks[0].mtu: InternalApi has MTU 5; hosts need 68 to 65535'],
  ],
]
test.each(written)('[R10.1] %s is written', (_, view, warnings) => {
  expect(foresee(world, { view, isGone: false })).toEqual(warnings)
})

const gone: readonly (readonly [string, View, string[]])[] = [
  ['a pool in use', lan, [all]],
  ['a pool that nobody uses', pool('dmz', ['10.0.9.0/24']), []],
  ['a tenant in use', south, [outside]],
  ["a tenant's pool, which is made again", shown, []],
  ['a Service', service('web', ['10.0.0.1']), []],
]
test.each(gone)('[R10.1] %s is deleted', (_, view, warnings) => {
  expect(foresee(world, { view, isGone: true })).toEqual(warnings)
})

test('[R10.1] more Services than can be examined are left to berth plan', () => {
  const big = pool('big', ['10.64.0.0/16'])
  const address = (at: number) => `10.64.${at >> 8}.${at & 255}`
  const many = Array.from({ length: 5_001 }, (_, at) => service(`s${at}`, [address(at)]))
  const crowd = worldOf(big, ...many)
  expect(foresee(crowd, { view: big, isGone: true })).toEqual([
    expect.stringMatching(/^more than 5000 Services .* berth plan tells who would lose/),
  ])
  expect(foresee(crowd, { view: big, isGone: false })).toEqual([])
})
