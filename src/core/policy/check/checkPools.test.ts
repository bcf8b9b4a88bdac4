import { expect, test } from 'vitest'
import { labelled, pool, worldOf } from '../../../../test/build/announcing.ts'
import { tenant } from '../../../../test/build/wires.ts'
import type { Pool, ServiceAllocation } from '../../model/pool.ts'
import { checkPool } from './checkPools.ts'

const world = worldOf(
  pool('ten', ['10.0.0.0/8']),
  pool('six', ['2001:db8::/64']),
  tenant('north', { cidrs: ['172.17.0.0/24'], loadBalancer: ['172.17.0.80-172.17.0.90'] }),
)
const refusals = (proposed: Pool) =>
  checkPool(world, proposed).map(({ path, message }) => `${path}: ${message}`)

test.each([
  ['M8.1 rule 15', [], 'spec.addresses: Required'],
  ['M8.1 rule 17', ['10.0.0.0/16'], 'IPAddressPool/metallb-system/ten'],
  ['M8.1 rule 17', ['192.0.2.0/28', '9.0.0.0-10.0.0.0'], 'spec.addresses[1]'],
  ['M8.1 rule 17', ['192.0.2.0/28', '192.0.2.15-192.0.2.16'], 'IPAddressPool/metallb-system/new'],
  ['M8.1 rule 17', ['2001:db8::5/128'], 'IPAddressPool/metallb-system/six'],
  ['R4.22', ['172.17.0.85/32'], 'IPAddressPool/metallb-system/north-internalapi of Tenant/north'],
])('[%s] %j is refused: %s', (_, ranges, why) => {
  const errors = refusals(pool('new', ranges))
  expect(errors).toHaveLength(1)
  expect(errors[0]).toContain(why)
})

test.each([
  ['a neighbour', pool('new', ['9.0.0.0/8', '11.0.0.0/8'])],
  ['its own former self', pool('ten', ['10.0.0.0/16'])],
  ['an edited pool of a tenant', pool('north-internalapi', ['172.17.0.85-172.17.0.86'])],
])('[M8.1 rule 17] %s does not overlap', (_, proposed) => {
  expect(refusals(proposed)).toEqual([])
})

test('[P6] pools that overlap one another are in nobody else’s way', () => {
  const bad = worldOf(pool('a', ['10.0.0.0/8']), pool('b', ['10.0.0.0/8']))
  expect(checkPool(bad, pool('c', ['192.0.2.0/24']))).toEqual([])
})

test.each<[Partial<ServiceAllocation>, string]>([
  [{ namespaces: ['a', 'b', 'a'] }, 'spec.serviceAllocation.namespaces[2]'],
  [
    { namespaceSelectors: [labelled({ a: 'b' }), labelled({ a: 'b' })] },
    'spec.serviceAllocation.namespaceSelectors[1]',
  ],
  [
    { serviceSelectors: [labelled({ '': 'b' })] },
    'spec.serviceAllocation.serviceSelectors[0].matchLabels',
  ],
])('[M8.1 rule 18] %j is refused', (given, path) => {
  const none = { priority: 0, namespaces: [], namespaceSelectors: [], serviceSelectors: [] }
  const [error] = checkPool(
    world,
    pool('new', ['192.0.2.0/24'], { allocation: { ...none, ...given } }),
  )
  expect(error?.path).toBe(path)
})
