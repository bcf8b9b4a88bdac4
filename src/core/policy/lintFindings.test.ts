import { expect, test } from 'vitest'
import { pool, worldOf } from '../../../test/build/announcing.ts'
import type { Pool } from '../model/pool.ts'
import { lintFindings } from './lintFindings.ts'

const forNamespaces = (...namespaces: string[]): Partial<Pool> => ({
  allocation: { priority: 0, namespaces, namespaceSelectors: [], serviceSelectors: [] },
})
const two = ['172.18.0.80-172.18.0.90', '172.29.0.80-172.29.0.90']
const both = forNamespaces('openstack', 'openstack2')

const cases: { title: string; given: Pool; codes: string[] }[] = [
  { title: 'two ranges, two namespaces', given: pool('p', two, both), codes: ['range-not-bound'] },
  { title: 'one namespace', given: pool('p', two, forNamespaces('openstack')), codes: [] },
  { title: 'the same twice', given: pool('p', two, forNamespaces('a', 'a')), codes: [] },
  { title: 'no restriction', given: pool('p', two), codes: [] },
  { title: 'one range', given: pool('p', two.slice(1), both), codes: [] },
  { title: 'dual stack', given: pool('p', ['10.0.0.0/24', 'fd00::/64'], both), codes: [] },
  { title: 'of a tenant', given: pool('p', two, { ...both, madeFrom: 'north' }), codes: [] },
]
test.each(cases)('$title: $codes', ({ given, codes }) => {
  expect(lintFindings(worldOf(given)).map(({ code }) => code)).toEqual(codes)
})

test('says what is served from where, in order of name', () => {
  const findings = lintFindings(worldOf(pool('storage', two, both), pool('internal', two, both)))
  expect(findings.map(({ object }) => object)).toEqual([
    'IPAddressPool/metallb-system/internal',
    'IPAddressPool/metallb-system/storage',
  ])
  expect(findings[0]).toMatchObject({
    severity: 'warning',
    field: 'spec.serviceAllocation.namespaces',
    message:
      'no range is bound to a namespace: each of openstack, openstack2 is served from ' +
      '172.18.0.80-172.18.0.90, 172.29.0.80-172.29.0.90',
    remedy: 'use one pool for each namespace, or Tenants',
  })
})
