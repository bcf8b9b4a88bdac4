// Which Services would wait, and at which field is that to be mended?
import { expect, test } from 'vitest'
import { lint } from '../../../../test/build/linting.ts'
import { l2, pool, service } from '../../../../test/build/lintManifests.ts'

type Waits = { code: string; severity: string; field: string; line: number; services: string[] }
const asks = (name: string, value: string) => service('web', `metallb.io/${name}: ${value}`)
const waits: Waits[] = [
  {
    code: 'pool-not-found',
    severity: 'error',
    field: 'metadata.annotations[metallb.io/address-pool]',
    line: 8,
    services: [asks('address-pool', 'none')],
  },
  {
    code: 'address-invalid',
    severity: 'error',
    field: 'metadata.annotations[metallb.io/loadBalancerIPs]',
    line: 8,
    services: [asks('loadBalancerIPs', '192.0.2.300')],
  },
  {
    code: 'address-not-in-pool',
    severity: 'error',
    field: 'spec.loadBalancerIP',
    line: 11,
    services: [service('web', '', 'loadBalancerIP: 198.51.100.7')],
  },
  {
    code: 'pool-full',
    severity: 'warning',
    field: '',
    line: 1,
    services: [service('web'), service('aaa')],
  },
  {
    code: 'address-taken',
    severity: 'warning',
    field: 'spec.loadBalancerIP',
    line: 11,
    services: ['web', 'aaa'].map((name) => service(name, '', 'loadBalancerIP: 192.0.2.1')),
  },
]
test.each(waits)(
  'a Service that would wait: $severity $code',
  async ({ services, ...expected }) => {
    const given = { 'lan.yaml': `${pool('lan', '192.0.2.1/32')}---\n${l2}` }
    const files = services.map((text, index) => [`service-${index}.yaml`, text])
    const { findings } = await lint({ ...given, ...Object.fromEntries(files) })
    const object = 'Service/shop/web'
    expect(findings).toMatchObject([{ ...expected, object, file: 'service-0.yaml' }])
    expect(findings[0]?.remedy).not.toBe('')
  },
)

test('a pool that may be meant is named with the remedy', async () => {
  const given = { 'a.yaml': `${pool('lan', '192.0.2.1/32')}---\n${asks('address-pool', 'lna')}` }
  const { findings } = await lint(given)
  const [waiting] = findings.filter(({ code }) => code === 'pool-not-found')
  expect(waiting?.remedy).toMatch(/or correct the annotation; did you mean lan\?$/)
})

test('names the annotation by the prefix under which it stands', async () => {
  const text = service('web', 'metallb.universe.tf/address-pool: none')
  const { findings } = await lint({ 'a.yaml': text })
  const field = 'metadata.annotations[metallb.universe.tf/address-pool]'
  expect(findings).toMatchObject([
    { code: 'deprecated', severity: 'warning', field, line: 8 },
    { code: 'pool-not-found', severity: 'error', field, line: 8 },
  ])
})

const blue = (more: string) => `apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: blue}
spec:
  namespaces: {names: [shop]}
  ${more}
`
test.each([
  {
    title: 'an open pool that its tenant does not use',
    tenant: blue('openPools: false'),
    asking: asks('address-pool', 'lan'),
    code: 'pool-not-allowed',
    remedy: 'request a pool of the tenant, or set openPools: true in tenant blue',
  },
  {
    title: 'an address of an open pool',
    tenant: blue('openPools: false'),
    asking: asks('loadBalancerIPs', '192.0.2.1'),
    code: 'address-not-in-pool',
    remedy: 'request an address in a pool of the tenant, or set openPools: true in tenant blue',
  },
  {
    title: 'an address that nothing is translated from',
    tenant: blue(
      'networks: [{name: api, cidrs: [10.1.0.0/24], loadBalancer: [10.1.0.9-10.1.0.20], ' +
        'translateFrom: [10.9.0.0/24]}]\n  requestedAddresses: Translate',
    ),
    asking: asks('loadBalancerIPs', '10.7.0.9'),
    code: 'translation-does-not-fit',
    remedy: 'add a range with 10.7.0.9 to translateFrom of tenant blue, or request another address',
  },
])('the remedy is about what is wrong: $title', async ({ tenant, asking, code, remedy }) => {
  const lan = pool('lan', '192.0.2.1/32')
  const { findings } = await lint({ 'a.yaml': [lan, l2, tenant, asking].join('---\n') })
  expect(findings.filter((one) => one.code === code)).toMatchObject([{ code, remedy }])
})
