// Does `berth tenant import` take over the attachments that a Tenant would make as they are?
import { expect, test } from 'vitest'
import { berth, folderOf, pool } from '../../../../test/build/terminal.ts'

const netConfig = (subnets: readonly string[]): string => `---
apiVersion: network.openstack.org/v1beta1
kind: NetConfig
metadata: {name: netconfig, namespace: os1}
spec:
  networks:
  - name: CtlPlane
    dnsDomain: ctlplane.example.com
    subnets:
${subnets
  .map(
    (cidr, at) =>
      `    - {name: subnet${at}, cidr: ${cidr}.0/24, allocationRanges: [{start: ${cidr}.100, end: ${cidr}.120}]}\n`,
  )
  .join('')}`

const whereabouts = {
  ...{ type: 'whereabouts', range: '172.17.0.0/24' },
  ...{ range_start: '172.17.0.30', range_end: '172.17.0.70' },
}
const usual = { cniVersion: '0.3.1', type: 'macvlan', master: 'eth1.20', ipam: whereabouts }
const attached = (
  config: object,
  namespace = 'os1',
  labels = 'osp/net: internalapi',
): string => `---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: internalapi, namespace: ${namespace}, labels: {${labels}}}
spec:
  config: '${JSON.stringify(config)}'
`
const api = pool('internalapi', '172.17.0.80-172.17.0.90')

test('[R4.33] an attachment that a Tenant would make as it is becomes its own', async () => {
  const folder = folderOf({ 'a.yaml': api + attached({ ...usual, name: 'x', mtu: 9000 }) })
  const { exit, out, err } = await berth(['tenant', 'import', '-f', folder])
  expect(exit, err).toBe(0)
  expect(out).toContain(`kind: NetworkAttachmentDefinition
metadata:
  name: internalapi
  namespace: os1
  labels:
    osp/net: internalapi
    app.kubernetes.io/managed-by: berth
    berth.dev/tenant: os1
`)
  expect(out).toContain('    mtu: 9000\n    attachments:\n    - 172.17.0.30-172.17.0.70\n')
  expect(out).toContain('  generate:\n  - Pools\n  - Attachments\n')
  expect(err).not.toContain('NetworkAttachmentDefinition')
  // What comes of the proposal: the attachment has an owner now, and says the same.
  const both = folderOf({ 'a.yaml': api, 'b.yaml': out })
  const { out: told } = await berth(['explain', 'tenant', 'os1', '-f', both])
  expect(told).toContain('NetworkAttachmentDefinition/os1/internalapi  Made')
  const again = await berth(['tenant', 'import', '-f', both])
  expect(again.out).toBe('')
})

test('[R4.33] a second cloud whose pools have other names keeps the names of both', async () => {
  const [second, config] = ['172.27.0', JSON.stringify(usual).replaceAll('172.17.0', '172.27.0')]
  const there =
    api +
    attached(usual) +
    pool('internalapi2', `${second}.80-${second}.90`) +
    attached(JSON.parse(config.replace('eth1.20', 'eth1.30')), 'os2')
  const { exit, out, err } = await berth(['tenant', 'import', '-f', folderOf({ 'a.yaml': there })])
  expect(exit, err).toBe(0)
  expect(out.match(/^kind: NetworkAttachmentDefinition$/gm)).toHaveLength(2)
  expect(out).toMatch(/name: internalapi2\n {2}namespace: metallb-system\n {2}labels:\n.*: os2\n/)
  expect(out).toContain(`  - name: internalapi
    cidrs:
    - 172.27.0.0/24
    vlan: 30
    interface: eth1
    attachments:
    - 172.27.0.30-172.27.0.70
`)
})

test('[R4.33] an interface with a name of its own, above its VLAN', async () => {
  const vlan = netConfig(['172.17.0']).replace('CtlPlane', 'InternalApi')
  const tagged = vlan.replace('cidr:', 'vlan: 20, cidr:')
  const text = api + tagged + attached({ ...usual, master: 'internalapi' })
  const { exit, out, err } = await berth(['tenant', 'import', '-f', folderOf({ 'a.yaml': text })])
  expect(exit, err).toBe(0)
  expect(out).toContain('    interface: internalapi\n    attachments:\n')
  expect(out).not.toContain('vlan: 20')
})

test.each([
  ['another plugin', { ...usual, type: 'bridge', bridge: 'br0' }, 'with another bridge'],
  ['a mode', { ...usual, mode: 'private' }, 'with another mode'],
  [
    'routes',
    { ...usual, ipam: { ...whereabouts, routes: [{ dst: '10.0.0.0/8' }] } },
    'another ipam',
  ],
  ['a chain', { cniVersion: '0.3.1', plugins: [usual, { type: 'tuning' }] }, 'another ipam'],
  ['static addresses', { ...usual, ipam: { type: 'static' } }, 'no range of whereabouts'],
])('[R4.33] one with %s stays, with the reason', async (_, config, why) => {
  const text = api + netConfig(['172.17.0']).replace('CtlPlane', 'InternalApi') + attached(config)
  const { exit, out, err } = await berth(['tenant', 'import', '-f', folderOf({ 'a.yaml': text })])
  expect(exit, err).toBe(0)
  expect(out).not.toContain('NetworkAttachmentDefinition')
  expect(out).not.toContain('generate')
  expect(err).toMatch(/NetworkAttachmentDefinition: os1\/internalapi \(.*\)/)
  expect(err).toContain(why)
})

test('[R4.33] of two clouds with one range on one wire the first takes its attachment', async () => {
  const text = attached(usual) + attached(usual, 'os2')
  const { exit, out, err } = await berth(['tenant', 'import', '-f', folderOf({ 'a.yaml': text })])
  expect(exit, err).toBe(0)
  expect(out.match(/^kind: NetworkAttachmentDefinition$/gm)).toHaveLength(1)
  expect(err).toContain('os2/internalapi (it shares its range with network internalapi of os1)')
})

test('[R4.33] an attachment that was made from another Tenant is not listed as staying', async () => {
  const first = await berth([
    'tenant',
    'import',
    '-f',
    folderOf({ 'a.yaml': api + attached(usual) }),
  ])
  const other = JSON.parse(JSON.stringify(usual).replaceAll('172.17.0', '172.27.0'))
  const there = folderOf({ 'a.yaml': api + attached(other, 'os2'), 'b.yaml': first.out })
  const { exit, out, err } = await berth(['tenant', 'import', '-f', there])
  expect(exit, err).toBe(0)
  expect(out).toContain('  namespace: os2\n')
  expect(err).not.toContain('os1/internalapi')
})
