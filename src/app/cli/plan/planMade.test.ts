// Proves that a plan tells what is made from Tenants and the Site, and what it does to nodes.
import { expect, test } from 'vitest'
import { rawServer, sendJson } from '../../../../test/build/rawServer.ts'
import { berth, folderOf, service } from '../../../../test/build/terminal.ts'

const node = (name: string) => `---
apiVersion: v1
kind: Node
metadata:
  name: ${name}
  annotations: {berth.dev/interface-addresses: 'eth0=10.0.0.5/24', berth.dev/interfaces: 'eth0,eth1'}
`
const tenant = (network: object, more = '') => `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: red}
spec:
  namespaces: {names: [red]}
  generate: [Pools, Attachments, HostNetworks, NetConfig]
  networks: [${JSON.stringify({ name: 'internalapi', cidrs: ['172.27.0.0/24'], ...network })}]
${more}`
const wire = { vlan: 25, interface: 'eth1', hosts: ['172.27.0.10-172.27.0.20'] }
const namespace = `---
apiVersion: v1
kind: Namespace
metadata: {name: red}
`
const nodes = namespace + node('a') + node('b')

const planned = (before: string, after: string, ...more: readonly string[]) => {
  const [there, wanted] = [folderOf({ 'a.yaml': before }), folderOf({ 'a.yaml': after })]
  return berth(['plan', '-f', wanted, '--against', there, ...more])
}

test('[R4.32] host networks alone are changes: which node gets or loses which address', async () => {
  const { exit, out } = await planned(nodes, nodes + tenant({ ...wire, mtu: 1400 }))
  expect(exit).toBe(2)
  expect(out).toContain(`Interfaces of nodes
  + a eth1.25  172.27.0.10/24, VLAN 25 on eth1, mtu 1400
  + b eth1.25  172.27.0.11/24, VLAN 25 on eth1, mtu 1400
`)
  expect(out).toContain('\nObjects: 0 created, 0 changed, 0 deleted; 2 interfaces changed.\n')
  const other = nodes + tenant({ ...wire, hosts: ['172.27.0.30-172.27.0.31'] })
  const moved = await planned(nodes + tenant(wire), other)
  expect(moved.exit).toBe(2)
  expect(moved.out).toMatch(
    / {2}~ a eth1\.25 {2}172\.27\.0\.10\/24, VLAN 25 on eth1 -> 172\.27\.0\.30/,
  )
  const gone = await planned(nodes + tenant(wire), nodes, '--prune', '-o', 'json')
  expect(gone.exit).toBe(2)
  expect(JSON.parse(gone.out)).toMatchObject({
    interfaces: [
      { node: 'a', interface: 'eth1.25', action: 'lose', after: [] },
      { node: 'b', interface: 'eth1.25', action: 'lose', after: [] },
    ],
  })
  const same = await planned(nodes + tenant(wire), nodes + tenant(wire))
  expect([same.exit, same.out]).toEqual([0, expect.not.stringContaining('Interfaces of nodes')])
})

test('[R4.32] what a node had on the interface before is not gained', async () => {
  const shared = nodes.replaceAll('eth0=10.0.0.5/24', 'eth0=10.0.0.5/24,eth1=10.9.0.5/24')
  const { out } = await planned(shared, shared + tenant({ ...wire, vlan: undefined }))
  expect(out).toContain('  + a eth1  172.27.0.10/24\n')
})

const all = {
  ...{ vlan: 25, interface: 'eth1', loadBalancer: ['172.27.0.80-172.27.0.90'] },
  ...{ attachments: ['172.27.0.30-172.27.0.40'], nodes: ['172.27.0.100-172.27.0.110'] },
}

test('[R4.32] every object that comes, changes field by field, or goes', async () => {
  const { exit, out } = await planned(nodes, nodes + tenant(all))
  expect(exit).toBe(2)
  expect(out).toContain(`Made from Tenants and the Site
  + IPAddressPool/metallb-system/red-internalapi  from Tenant/red
  + L2Advertisement/metallb-system/internalapi-red  from Tenant/red
  + NetConfig/red/netconfig  from Tenant/red
  + NetworkAttachmentDefinition/red/internalapi  from Tenant/red
`)
  expect(out).toContain('\nObjects: 4 created, 0 changed, 0 deleted.\n')
  const change = tenant({ ...all, vlan: 26, loadBalancer: ['172.27.0.80-172.27.0.85'] })
  const changed = await planned(nodes + tenant(all), nodes + change)
  expect(changed.exit).toBe(2)
  expect(changed.out).toContain(`  ~ IPAddressPool/metallb-system/red-internalapi  from Tenant/red
      spec.addresses: 172.27.0.80-172.27.0.90 -> 172.27.0.80-172.27.0.85
  ~ L2Advertisement/metallb-system/internalapi-red  from Tenant/red
      spec.interfaces: eth1.25 -> eth1.26
`)
  expect(changed.out).toContain('spec.networks[0].subnets[0].vlan: 25 -> 26')
  const gone = await planned(nodes + tenant(all), nodes, '--prune')
  expect(gone.out).toContain('  - NetworkAttachmentDefinition/red/internalapi  from Tenant/red\n')
})

test('[R4.32] peers and the advertisement over BGP', async () => {
  const bgp = '  bgp: {myASN: 64513, peers: [{address: 10.0.0.1, asn: 64512}]}\n'
  const network = { loadBalancer: all.loadBalancer, announce: 'BGP' }
  const { out } = await planned(nodes, nodes + tenant(network, bgp))
  expect(out).toContain('  + BGPPeer/metallb-system/bgp-peer-red  from Tenant/red\n')
  expect(out).toContain(
    '  + BGPAdvertisement/metallb-system/bgpadvertisement-red  from Tenant/red\n',
  )
})

test('[R4.32] what is taken over is not created', async () => {
  const made = {
    ...{ cniVersion: '0.3.1', name: 'x', type: 'macvlan', master: 'eth1.25' },
    ipam: { type: 'whereabouts', range: '172.27.0.0/24', range_start: '172.27.0.30' },
  }
  const attachment = `---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata:
  name: internalapi
  namespace: red
  labels: {app.kubernetes.io/managed-by: berth, berth.dev/tenant: red}
spec: {config: '${JSON.stringify(made)}'}
`
  const { out } = await planned(nodes + attachment, nodes + attachment + tenant(all))
  expect(out).toContain(`  ~ NetworkAttachmentDefinition/red/internalapi  from Tenant/red
      metadata.ownerReferences: none -> Tenant/red
      spec.config:
`)
  expect(out).toContain('\nObjects: 3 created, 1 changed, 0 deleted.\n')
  const gone = await planned(nodes + attachment, nodes, '--prune')
  expect(gone.out).not.toContain('Made from')
})

const site = (api: string, more = '') => `---
apiVersion: berth.dev/v1alpha1
kind: Site
metadata: {name: cluster}
spec:
  internalNetwork: 10.0.0.0/24
  external: {apiVIP: ${api}, ingressVIP: 203.0.113.11, prefixLength: 24${more}}
`

test('[R4.32, R6.6] a Site: its objects, names, VIPs and the routes of all nodes', async () => {
  const asked = ', interface: eth1, gateway: 203.0.113.1, baseDomain: a.example'
  const routes = ', routes: [{destination: 192.0.2.0/24}]'
  const here = node('a').replace('10.0.0.5/24', '10.0.0.5/24,eth1=203.0.113.5/24')
  const there = here + site('203.0.113.10', asked)
  const { exit, out } = await planned(here, there)
  expect(exit).toBe(2)
  expect(out).toContain(
    '  + openshift-kube-apiserver/metallb-api  203.0.113.10  from metallb-api-vip',
  )
  expect(out).toContain('  + api.a.example  203.0.113.10  of the Site\n')
  expect(out).toContain('  + L2Advertisement/metallb-system/external  from Site/cluster\n')
  const wanted = here + site('203.0.113.12', asked + routes)
  const moved = await planned(there, wanted)
  expect(moved.out).toContain('  ~ api.a.example  203.0.113.10 -> 203.0.113.12  of the Site\n')
  expect(moved.out).toContain(`Routes of all nodes
  + 192.0.2.0/24 via 203.0.113.1 on eth1
`)
  expect(moved.out).toContain('spec.addresses: 203.0.113.10/32 -> 203.0.113.12/32\n')
  const json = await planned(wanted, there, '-o', 'json')
  expect(JSON.parse(json.out)).toMatchObject({
    nodeRoutes: [{ action: 'lose', route: '192.0.2.0/24 via 203.0.113.1 on eth1' }],
  })
})

const kubeconfigOf = (server: URL) => `apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: '${server.origin}'}}]
users: [{name: me, user: {token: x}}]
contexts: [{name: here, context: {cluster: here, user: me}}]
current-context: here
`

test('[R4.32] what a running API lacks is not made, and said with what waits for it', async () => {
  const server = await rawServer(({ path }, response) => {
    const isLacking = /network-attachment-definitions|nodenetwork/.test(path)
    if (isLacking) sendJson(response, { kind: 'Status', code: 404, reason: 'NotFound' }, 404)
    else sendJson(response, { kind: 'List', metadata: { resourceVersion: '1' }, items: [] })
  })
  const kubeconfig = folderOf({ config: kubeconfigOf(server.url) })
  const wanted = folderOf({ 'a.yaml': node('a') + tenant({ ...all, ...wire }) })
  const live = ['--live', '--kubeconfig', `${kubeconfig}/config`]
  const { exit, out } = await berth(['plan', '-f', wanted, ...live])
  expect(exit).toBe(2)
  expect(out).toContain('  + IPAddressPool/metallb-system/red-internalapi  from Tenant/red\n')
  expect(out).toContain(`  ! NetworkAttachmentDefinition/red/internalapi  from Tenant/red
      not made: the API does not serve NetworkAttachmentDefinition: install the program that it
      comes with
`)
  expect(out).toContain(`  ! NetConfig/red/netconfig  from Tenant/red
      not made: there is no namespace red yet
`)
  expect(out).toMatch(/ {2}! NodeNetworkConfigurationPolicy\/berth-\* .*\n {6}not made: .*nmstate/)
  expect(out).not.toContain('Interfaces of nodes')
})

test('[R4.32] namespaces that may not be read are taken to be there', async () => {
  const server = await rawServer(({ path }, response) => {
    const isRefused = /\/namespaces\?|\/namespaces$/.test(path)
    if (isRefused) sendJson(response, { kind: 'Status', code: 403, reason: 'Forbidden' }, 403)
    else sendJson(response, { kind: 'List', metadata: { resourceVersion: '1' }, items: [] })
  })
  const kubeconfig = folderOf({ config: kubeconfigOf(server.url) })
  const wanted = folderOf({ 'a.yaml': node('a') + tenant(all) })
  const { exit, out } = await berth([
    ...['plan', '-f', wanted, '--live', '--kubeconfig', `${kubeconfig}/config`],
  ])
  expect(exit).toBe(1)
  expect(out).toContain('  + NetConfig/red/netconfig  from Tenant/red\n')
  expect(out).not.toContain('there is no namespace')
})

test('a Service of nobody is made from nothing', async () => {
  const { out } = await planned(nodes, nodes + service('web'))
  expect(out).not.toContain('Made from')
})
