import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { prefix, tenant } from '../../../../../test/build/wires.ts'
import { type Json, recordAt, textAt } from '../../../model/json.ts'
import type { Tenant } from '../../../model/tenant.ts'
import { servicePolicies } from './servicePolicies.ts'
import { serviceVariables } from './serviceVariables.ts'
import { translationsOf } from './translations.ts'

const [old, fresh] = ['metallb.universe.tf/', 'metallb.io/']
const internalapi = {
  name: 'internalapi',
  cidrs: ['172.27.0.0/24'],
  loadBalancer: ['172.27.0.80-172.27.0.90'],
}
const made = tenant('os2', internalapi)

const policiesOf = (one: Tenant, others: readonly Tenant[] = []): readonly Json[] => {
  const policies = servicePolicies(one, others)
  if (!policies.ok) throw new Error(policies.message)
  return policies.objects.map((object) => ({ ...object }))
}

/** Here CEL and JavaScript are written alike. */
const asked = (name: string, annotations: object): unknown => {
  const variable = serviceVariables(made, new Map()).find((one) => one.name === name)
  return runInNewContext(variable?.expression ?? '', { variables: { annotations } })
}

test.each([
  ['askedPool', 'address-pool'],
  ['askedAddresses', 'loadBalancerIPs'],
  ['key', 'allow-shared-ip'],
])('[R4.28] %s: an empty older key does not hide the newer one', (variable, name) => {
  expect(asked(variable, { [old + name]: '', [fresh + name]: 'lan' })).toBe('lan')
  expect(asked(variable, { [old + name]: 'own', [fresh + name]: 'lan' })).toBe('own')
  expect(asked(variable, { [old + name]: '' })).toBe('')
  expect(asked(variable, { [fresh + name]: 'lan' })).toBe('lan')
  expect(asked(variable, {})).toBe('')
})

test('[R4.28] Strict: a newer key beside the older one says what was judged', () => {
  const [policy] = policiesOf(made)
  expect(JSON.stringify(policy)).toContain(
    JSON.stringify(
      '(variables.askedAddresses != "" && "metallb.io/loadBalancerIPs" in variables.annotations ? ' +
        '[JSONPatch{op: "add", path: "/metadata/annotations/metallb.io~1loadBalancerIPs", ' +
        'value: variables.askedAddresses}] : [])',
    ).slice(1, -1),
  )
})

test('[R4.28] no two tenants make bindings of one name', () => {
  const selector = { matchLabels: { cloud: 'a' }, matchExpressions: [] }
  const tenants = [
    { ...tenant('a', internalapi), selector, services: ['x/web'] },
    tenant('a-in-x', internalapi),
    tenant('a-selected', internalapi),
  ]
  const ids = tenants
    .flatMap((one) => policiesOf(one, []))
    .map((object) => `${textAt(object, 'kind')}/${textAt(recordAt(object, 'metadata'), 'name')}`)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('[R4.11] the first translateFrom counts, also where it leads nowhere', () => {
  const storage = {
    name: 'storage',
    cidrs: ['172.29.0.0/24'],
    loadBalancer: ['172.29.0.80-172.29.0.99'],
  }
  const both = tenant('os2', internalapi, storage)
  const translateFrom = ['172.17.0.0/24', '172.17.0.0/16'].map(prefix)
  const networks = both.networks.map((network) => ({ ...network, translateFrom }))
  const found = translationsOf({ ...both, requestedAddresses: 'Translate', networks })
  const tables = found.ok ? found.tables : new Map()
  expect(tables.get('')?.get('172.17.0.85')).toBe('172.27.0.85')
  // Network internalapi has no 172.27.0.95 to give.
  expect(tables.get('')?.get('172.17.0.95')).toBeUndefined()
  expect(tables.get('os2-storage')?.get('172.17.0.95')).toBe('172.29.0.95')
})

test('[R4.11] of two translateFrom of one network the first counts', () => {
  const translateFrom = ['172.17.0.64/26', '172.17.0.0/24'].map(prefix)
  const networks = made.networks.map((network) => ({ ...network, translateFrom }))
  const found = translationsOf({ ...made, requestedAddresses: 'Translate', networks })
  const table = found.ok ? found.tables.get('os2-internalapi') : undefined
  expect([...(table?.keys() ?? [])]).not.toContain('172.17.0.85')
})
