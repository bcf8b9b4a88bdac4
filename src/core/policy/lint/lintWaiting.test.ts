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
