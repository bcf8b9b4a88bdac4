// Does a plan show what MetalLB gives once Tenants are rendered for it? As MetalLB 0.16.1 itself gave
// it on a real API server with the rendered pools and policies.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { berth } from '../../../../test/build/terminal.ts'

const tenant = `
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: cloud}
spec:
  namespaces: {names: [cloud]}
  requestedAddresses: Translate
  networks:
  - name: internalapi
    cidrs: [172.27.0.0/24]
    translateFrom: [172.17.0.0/24]
    loadBalancer: [172.27.0.80-172.27.0.90]
`
const lan = `
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan, namespace: metallb-system}
spec: {addresses: [192.0.2.0/28]}
`
const service = (name: string, asks: object = {}, spec: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'cloud', annotations: asks },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
  })
const pool = 'metallb.universe.tf/address-pool'
const addresses = 'metallb.universe.tf/loadBalancerIPs'
const there = [
  lan,
  service('any'),
  service('lan', { [pool]: 'lan' }),
  service('api', { [pool]: 'internalapi', [addresses]: '172.17.0.85' }),
  service('field', {}, { loadBalancerIP: '172.17.0.86' }),
]

function fileOf(...documents: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-for-metallb-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'objects.yaml')
  writeFileSync(file, documents.join('\n---\n'))
  return file
}
const planned = (wanted: string, before: readonly string[] = there) =>
  berth(['plan', '-f', wanted, '--against', fileOf(...before), '--for', 'metallb', '-o', 'wide'])

test('[R4.28] Services that ask for the tenant move; what others gave stays', async () => {
  const { exit, out, err } = await planned(fileOf(tenant))
  expect([exit, err]).toEqual([2, ''])
  expect(out).toMatch(/\+ cloud\/api +172\.27\.0\.85 +from cloud-internalapi/)
  expect(out).toMatch(/\+ cloud\/field +172\.27\.0\.86 +from cloud-internalapi/)
  expect(out).toContain('Plan: 2 gained, 0 moved, 0 lost, 2 kept, 0 waiting')
})

test('[R4.28] who has no address yet is given one of the tenant first', async () => {
  const { out } = await planned(fileOf(tenant, service('late')))
  expect(out).toMatch(/\+ cloud\/late +172\.27\.0\.80 +from cloud-internalapi/)
})

test('[R4.28] what is rendered already changes nothing, and its policies are played', async () => {
  const { out: rendered } = await berth(['tenant', 'render', '-f', fileOf(tenant)])
  const { exit, err } = await planned(fileOf(tenant, rendered), [
    lan,
    rendered,
    service('any'),
    service('lan', { [pool]: 'lan' }),
  ])
  expect([exit, err]).toEqual([0, ''])
})

test("[R4.28] a Service that newly asks for what is not the tenant's is refused", async () => {
  const wanted = fileOf(tenant, service('new', { [pool]: 'lan' }))
  const { exit, err } = await planned(wanted)
  expect(exit).toBe(1)
  expect(err).toContain(
    'Service/cloud/new: metadata.annotations: pool-of-another-tenant: tenant cloud has no pool for ' +
      '"lan"; it has internalapi',
  )
})

test('[R4.28] with openPools nothing is refused, and what leads nowhere stays', async () => {
  const open = tenant.replace('  networks:', '  openPools: true\n  networks:')
  const far = service('far', { [addresses]: '192.0.2.4' })
  const other = service('other', { [pool]: 'lan', [addresses]: '192.0.2.5' })
  const both = {
    [pool]: 'internalapi',
    [addresses]: '172.17.0.81',
    'metallb.io/address-pool': 'lan',
  }
  const own = service('own', both)
  // Without a pool of the tenant, the address alone says which network is meant.
  const moved = service('moved', { [addresses]: '172.17.0.82' })
  const { exit, out, err } = await planned(fileOf(open, far, other, own, moved))
  expect([exit, err]).toEqual([2, ''])
  expect(out).toMatch(/\+ cloud\/far +192\.0\.2\.4 +from lan/)
  expect(out).toMatch(/\+ cloud\/other +192\.0\.2\.5 +from lan/)
  expect(out).toMatch(/\+ cloud\/own +172\.27\.0\.81 +from cloud-internalapi/)
  expect(out).toMatch(/\+ cloud\/moved +172\.27\.0\.82 +from cloud-internalapi/)
})

test.each([
  ['172.17.0.87,', '172\\.27\\.0\\.87'],
  [' , 172.17.0.88', '172\\.27\\.0\\.88'],
])('[R4.28] an empty entry of a list asks for nothing: %j', async (asked, given) => {
  const { err, out } = await planned(fileOf(tenant, service('listed', { [addresses]: asked })))
  expect(err).toBe('')
  expect(out).toMatch(new RegExp(`\\+ cloud/listed +${given}`))
})

test('[R4.28] an address that leads nowhere is refused in the words of the policy', async () => {
  const { err } = await planned(fileOf(tenant, service('new', { [addresses]: '172.17.0.99' })))
  expect(err).toContain(
    'translation-does-not-fit: 172.17.0.99 is not in the loadBalancer ranges of tenant cloud and ' +
      'no translateFrom of the network leads there',
  )
})

test('[R4.28] sharing keys are of the tenant, and Services that share still do', async () => {
  const key = { 'metallb.universe.tf/allow-shared-ip': 'api' }
  const sharing = { ...key, [pool]: 'internalapi', [addresses]: '172.17.0.85' }
  const one = service('one', sharing)
  const two = service('two', sharing, { ports: [{ port: 81 }] })
  const { out } = await planned(fileOf(tenant, one, two), [])
  expect(out).toMatch(/\+ cloud\/one +172\.27\.0\.85/)
  expect(out).toMatch(/\+ cloud\/two +172\.27\.0\.85/)
})

test.each([
  ['--live', '--out', 'plan.json'],
  ['--against', 'examples/cluster', '--prune'],
])('nothing is carried out of such a plan, or pruned by it: %s %s', async (...args) => {
  const { exit, err } = await berth(['plan', '-f', fileOf(tenant), '--for', 'metallb', ...args])
  expect(exit).toBe(1)
  expect(err).toContain('--out and --prune cannot be used with --for')
})
