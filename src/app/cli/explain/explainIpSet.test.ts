// Proves that berth explain ipset says what a host has on each network, or why not (R12.7).
import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const manifests = `
apiVersion: network.openstack.org/v1beta1
kind: NetConfig
metadata: { name: netconfig, namespace: openstack }
spec:
  networks:
    - name: InternalApi
      subnets:
        - name: subnet1
          cidr: 172.17.0.0/24
          gateway: 172.17.0.1
          excludeAddresses: [172.17.0.101, 172.17.0.1]
          allocationRanges: [{ start: 172.17.0.100, end: 172.17.0.101 }]
    - name: Storage
      subnets:
        - name: subnet1
          cidr: 172.18.0.0/24
          allocationRanges: [{ start: 172.18.0.100, end: 172.18.0.200 }]
`
const ipSet = (name: string, ...networks: readonly string[]) => `---
apiVersion: network.openstack.org/v1beta1
kind: IPSet
metadata: { name: ${name}, namespace: openstack }
spec: { networks: [${networks.join(', ')}] }
`
const internal = (more = '') => `{ name: InternalApi, subnetName: subnet1${more} }`
const storage = '{ name: Storage, subnetName: subnet1 }'
const two = manifests + ipSet('a', internal()) + ipSet('b', internal(), storage)
const explain = (name: string) =>
  berth(['explain', 'ipset', name, '-f', folderOf({ 'a.yaml': two })])

test('[P8, R12.1] a host that has its addresses', async () => {
  const { exit, out, err } = await explain('openstack/a')
  expect([exit, err]).toEqual([0, ''])
  expect(out).toMatch(/^IPSet openstack\/a has an address on every network\n/)
  expect(out).toMatch(/^ {2}InternalApi subnet1 {2}172\.17\.0\.100$/m)
  expect(out).toMatch(/^ {2}wire +namespace\/openstack$/m)
})

test('[P8, R12.7] one that lacks an address: why, the remedy, and what it has elsewhere', async () => {
  const { exit, out } = await explain('openstack/b')
  expect(exit).toBe(0)
  expect(out).toMatch(/^IPSet openstack\/b lacks an address on 1 of 2 networks\n/)
  expect(out).toContain('range-full: InternalApi subnet1 has no free address (1 of 1 in use by')
  expect(out).toContain("remedy: extend the subnet's allocationRanges")
  expect(out).toMatch(/^ {2}Storage subnet1 +172\.18\.0\.100$/m)
})

test('[R12.2] a fixed address: every rule that objects, in JSON too', async () => {
  const fixed = folderOf({
    'a.yaml': manifests + ipSet('c', internal(', fixedIP: 172.17.0.1')),
  })
  const text = await berth(['explain', 'ipset', 'c', '-n', 'openstack', '-f', fixed])
  expect(text.out).toContain('address-excluded: 172.17.0.1 is in excludeAddresses of subnet1')
  expect(text.out).toContain('also not-special: 172.17.0.1 is a gateway')
  const { out } = await berth(['explain', 'ipset', 'openstack/c', '-f', fixed, '-o', 'json'])
  expect(JSON.parse(out)).toMatchObject({
    kind: 'IPSet',
    isFound: true,
    isGoing: false,
    networks: [{ network: 'InternalApi', refused: { reason: 'address-excluded' } }],
  })
})

test('one that is not there', async () => {
  const { exit, err } = await explain('openstack/zz')
  expect([exit, err]).toEqual([1, expect.stringContaining('there is no IPSet openstack/zz')])
})
