// Do AddressPools of MetalLB 0.12 become what they meant?
import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const migrated = (text: string) =>
  berth(['migrate', 'addresspools', `${folderOf({ 'pools.yaml': text })}/pools.yaml`])

test('[M8.2] layer 2 and BGP, as kubectl get prints them', async () => {
  const { exit, out, err } = await migrated(`apiVersion: v1
kind: List
items:
- apiVersion: metallb.io/v1beta1
  kind: AddressPool
  metadata: {name: lan, namespace: metallb, uid: a, resourceVersion: "1"}
  spec: {protocol: layer2, addresses: [192.0.2.0/28], autoAssign: false}
- apiVersion: metallb.io/v1beta1
  kind: AddressPool
  metadata: {name: wan, namespace: metallb}
  spec:
    protocol: bgp
    addresses: [198.51.100.0/24]
    bgpAdvertisements:
    - {aggregationLength: 32, localPref: 100, communities: ["64512:1"]}
`)
  expect(exit, err).toBe(0)
  expect(out).toBe(`# Made from MetalLB AddressPools by berth migrate addresspools.
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata:
  name: lan
  namespace: metallb
spec:
  addresses:
  - 192.0.2.0/28
  autoAssign: false
---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata:
  name: wan
  namespace: metallb
spec:
  addresses:
  - 198.51.100.0/24
---
apiVersion: metallb.io/v1beta1
kind: BGPAdvertisement
metadata:
  name: bgpadvertisement1
  namespace: metallb
spec:
  aggregationLength: 32
  communities:
  - '64512:1'
  ipAddressPools:
  - wan
  localPref: 100
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata:
  name: l2advertisement1
  namespace: metallb
spec:
  ipAddressPools:
  - lan
---
`)
})

const pool = (spec: string): string =>
  `apiVersion: metallb.io/v1beta1\nkind: AddressPool\nmetadata: {name: lan}\nspec: ${spec}\n`

test.each([
  ['{protocol: layer2, addresses: [192.0.2.300/28]}', 'IPAddressPool lan: spec.addresses[0]'],
  ['{protocol: layer2, addresses: lan}', 'address-pools[0].addresses'],
])('%s is refused with its field', async (spec, why) => {
  const { exit, out, err } = await migrated(pool(spec))
  expect([exit, out]).toEqual([1, ''])
  expect(err).toContain(why)
})

test('a pool that nothing announces is told, and a file without pools refused', async () => {
  expect((await migrated(pool('{protocol: arp, addresses: [192.0.2.0/28]}'))).err).toContain(
    'neither layer2 nor bgp: nothing will announce it',
  )
  const none = await migrated('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')
  expect(none).toMatchObject({ exit: 1, out: '' })
  expect(none.err).toContain('has no AddressPool')
})
