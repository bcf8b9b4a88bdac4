// Proves that berth explain tenant says who belongs to a tenant, what it has, and what is wrong.
import { expect, test } from 'vitest'
import { berth, folderOf, pool } from '../../../../test/build/terminal.ts'

const example = ['-f', 'examples/cluster']

test('[P8] whom it serves, from where, who waits, and what was made', async () => {
  const { exit, out, err } = await berth(['explain', 'tenant', 'openstack2', ...example])
  expect([exit, err]).toEqual([0, ''])
  expect(out).toBe(`Tenant openstack2
  namespaces  openstack2
  addresses   2 of 2
  requests    Translate: the same place in its own network
  open pools  not used

Network internalapi
  prefixes      172.27.0.0/24
  translated    from 172.17.0.0/24
  on            eth1, VLAN 25
  addresses     172.27.0.80-172.27.0.90
  announced by  Layer2
  pool          openstack2-internalapi
  IPv4          11 addresses: 2 held, 9 free

Who holds an address
  openstack2/keystone-internal  172.27.0.80
  openstack2/rabbitmq           172.27.0.85

Who waits, oldest first
  openstack2/rabbitmq-cell1  quota-exceeded: tenant openstack2 may hold 2 addresses

What is made from it
  IPAddressPool/metallb-system/openstack2-internalapi    Made
  L2Advertisement/metallb-system/internalapi-openstack2  Made
`)
})

test('a pool of its name that it did not make is wrong, and not its own', async () => {
  const tenant = `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: a}
spec:
  namespaces: {names: [], selector: {matchLabels: {team: a}}}
  networks: [{name: net, cidrs: [10.0.0.0/24], loadBalancer: [10.0.0.1-10.0.0.9], announce: None}]
`
  const labelled = `---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: a}}
`
  const folder = folderOf({ 'a.yaml': pool('a-net', '10.1.0.1/32') + tenant + labelled })
  const { out } = await berth(['explain', 'tenant', 'a', '-f', folder])
  expect(out).toContain('  namespaces  shop, and those with team=a\n')
  expect(out).toContain('  addresses   0, no quota\n')
  expect(out).toContain('  announced by  nothing that Berth makes\n')
  expect(out).not.toMatch(/^ {2}pool /m)
  expect(out).toMatch(/IPAddressPool\/metallb-system\/a-net {2}NameTaken: it was not made from/)
  expect(out).toContain('  ! name-taken Tenant/a\n')
})

test('one that is not there is answered with those that may be meant', async () => {
  expect(await berth(['explain', 'tenant', 'opnstack', ...example])).toEqual({
    exit: 1,
    out: '',
    err: 'berth: there is no tenant opnstack; did you mean openstack or openstack2?\n',
  })
})
