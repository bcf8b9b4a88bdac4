// Does renumbering move everything of a prefix by the same offset, each Service once, and back?
import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const pool = (name: string, ...ranges: readonly string[]): string => `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: ${name}, namespace: metallb-system}
spec: {addresses: [${ranges.map((range) => `'${range}'`).join(', ')}]}
`
const service = (key: string, annotations = '', spec = ''): string => {
  const [namespace, name] = key.split('/')
  return `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: ${namespace}, annotations: {${annotations}}}
spec: {type: LoadBalancer, ports: [{port: ${ports++}}]${spec === '' ? '' : `, ${spec}`}}
`
}
let ports = 80
const asks = (address: string, more = ''): string =>
  `metallb.io/loadBalancerIPs: '${address}'${more}`
const tenant = (name: string, requested: string, from = ''): string => `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: ${name}}
spec:
  namespaces: {names: [${name}]}
  requestedAddresses: ${requested}
  networks:
  - name: internalapi
    cidrs: [172.17.0.0/24]
    gateway: 172.17.0.1${from === '' ? '' : `\n    translateFrom: [${from}]`}
    loadBalancer: [172.17.0.80-172.17.0.90]
    attachments: [172.17.0.30-172.17.0.70]
`
const renumber = (text: string, from = '172.17.0.0/24', to = '172.27.0.0/24') =>
  berth(['renumber', from, to, '-f', folderOf({ 'all.yaml': text })])

const movesOf = (out: string): Record<string, string> =>
  Object.fromEntries(
    [...out.matchAll(/^ {2}~ (\S+) {2}(.*)$/gm)].map(([, name, moves]) => [name, moves]),
  )

test('[R15.1] pinned or not, alone or shared: by the same offset, each once', async () => {
  const key = ', metallb.io/allow-shared-ip: k'
  const { exit, out, err } = await renumber(
    pool('lan', '172.17.0.80-172.17.0.90') +
      service('web/a') +
      service('web/b') +
      service('web/pinned', asks('172.17.0.88')) +
      service('web/old', "metallb.universe.tf/loadBalancerIPs: '172.17.0.86'") +
      service('web/field', '', 'loadBalancerIP: 172.17.0.87') +
      service('web/one', asks('172.17.0.85', key)) +
      service('web/two', asks('172.17.0.85', key)) +
      service('web/three', 'metallb.io/allow-shared-ip: other') +
      service('web/four', 'metallb.io/allow-shared-ip: other'),
  )
  expect(exit, err).toBe(2)
  const moves = movesOf(out)
  expect(Object.keys(moves)).toHaveLength(9)
  for (const [name, text] of Object.entries(moves)) {
    const [before = '', after = '', ...more] = text.split(' -> ')
    expect([name, after, more]).toEqual([name, before.replace('172.17', '172.27'), []])
  }
  expect(moves).toMatchObject({
    'web/pinned': '172.17.0.88 -> 172.27.0.88',
    'web/two': '172.17.0.85 -> 172.27.0.85',
  })
  expect(out).toContain('IPAddressPool/metallb-system/lan  adds 172.27.0.80-172.27.0.90')
  expect(out).toContain('IPAddressPool/metallb-system/lan  removes 172.17.0.80-172.17.0.90')
})

test.each([
  ['Strict', '', asks('172.17.0.85')],
  ['Ignore', '', asks('10.9.9.9')],
  ['Translate', '172.16.0.0/24', asks('172.16.0.85')],
  ['Translate', '172.16.0.0/24', asks('172.17.0.85')],
])('[R15.2] a Tenant with %s %s moves whole, its Services once', async (requested, from, pin) => {
  const { exit, out, err } = await renumber(
    tenant('os1', requested, from) +
      service('os1/pinned', pin) +
      service('os1/free') +
      service('os1/second'),
  )
  expect(exit, err).toBe(2)
  const moves = movesOf(out)
  expect(Object.keys(moves)).toHaveLength(3)
  for (const text of Object.values(moves)) {
    const [before = '', ...after] = text.split(' -> ')
    expect(after).toEqual([before.replace('172.17', '172.27')])
  }
})

test('[R15.2] two families: the other address stays', async () => {
  const { exit, out, err } = await renumber(
    pool('lan', '172.17.0.80-172.17.0.90', 'fd00::80-fd00::90') +
      service('web/both', '', 'ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv4, IPv6]'),
  )
  expect(exit, err).toBe(2)
  expect(movesOf(out)).toEqual({ 'web/both': '172.17.0.80,fd00::80 -> 172.27.0.80,fd00::80' })
})

test('[R15.3] reservations move before anybody can take their address', async () => {
  const address = (ip: string, more = ''): string => `---
apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: ${ip}}
spec: {address: ${ip}${more}}
`
  const { exit, out, err } = await renumber(
    pool('lan', '172.17.0.80-172.17.0.90') +
      address('172.17.0.80') +
      address('172.17.0.81', ', reservedFor: {namespace: web, name: later}') +
      address('172.17.0.83', ', reservedFor: {namespace: web, name: kept}') +
      service('web/a') +
      service('web/kept'),
  )
  expect(exit, err).toBe(2)
  expect(movesOf(out)).toEqual({
    'web/a': '172.17.0.82 -> 172.27.0.82',
    'web/kept': '172.17.0.83 -> 172.27.0.83',
  })
  expect(out).toMatch(/1\. Reserve and pin\n +Address\/172\.27\.0\.80 {2}reserved\n/)
  expect(out).toContain('Address/172.17.0.81  no longer reserved')
})

test('[R15.3] what operators and name servers pin follows; what Berth does not manage is listed', async () => {
  const { out } = await renumber(
    `${pool('internalapi', '172.17.0.80-172.17.0.90')}---
apiVersion: network.openstack.org/v1beta1
kind: DNSData
metadata: {name: hosts, namespace: openstack}
spec: {hosts: [{ip: 172.17.0.80, hostnames: [keystone]}]}
---
apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: plane, namespace: openstack}
spec:
  secret: s
  storageClass: c
  keystone: {template: {override: {service: {internal: {metadata: {annotations: {metallb.universe.tf/address-pool: internalapi, metallb.universe.tf/loadBalancerIPs: 172.17.0.80}}, spec: {type: LoadBalancer}}}}}}
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: internalapi, namespace: openstack}
spec: {config: '{"type": "macvlan", "master": "eth1", "ipam": {"type": "whereabouts", "range": "172.17.0.0/24"}}'}
`,
  )
  expect(movesOf(out)).toEqual({ 'openstack/keystone-internal': '172.17.0.80 -> 172.27.0.80' })
  expect(out).toContain('OpenStackControlPlane/openstack/plane  its addresses follow')
  expect(out).toContain('DNSData/openstack/hosts  its addresses follow')
  expect(out).toContain(
    'Not moved, since Berth does not manage it\n  NetworkAttachmentDefinition/openstack/internalapi\n',
  )
})

test.each([
  [pool('lan', '172.17.0.0/16'), 'spec.addresses[0]: 172.17.0.0/16 is larger than 172.17.0.0/24'],
  [pool('lan', '172.17.0.80-172.17.0.90') + pool('there', '172.27.0.85-172.27.0.99'), 'overlap'],
])('[R15.4] refused before anything moves', async (text, why) => {
  const { exit, out, err } = await renumber(text)
  expect([exit, out]).toEqual([1, ''])
  expect(err).toContain(why)
})

test.each([
  ['172.17.0.0/24', '172.27.0.0/25', 'of different sizes'],
  ['172.17.0.0/24', 'fd00::/24', 'of different families'],
  ['172.17.0.5/24', '172.27.0.0/24', 'did you mean 172.17.0.0/24?'],
  ['172.17.0.0/24', '172.17.0.0/24', 'are the same'],
  ['lan', '172.17.0.0/24', 'has no prefix length'],
])('[R15.4] %s to %s: %s', async (from, to, why) => {
  const { exit, err } = await renumber(pool('lan', '172.17.0.80-172.17.0.90'), from, to)
  expect(exit).toBe(1)
  expect(err).toContain(why)
})

test('[R15.1] nothing of the prefix there: nothing to move', async () => {
  const { exit, out } = await renumber(pool('lan', '192.0.2.0/28') + service('web/a'))
  expect([exit, out]).toEqual([0, '172.17.0.0/24 -> 172.27.0.0/24: nothing to move\n'])
})

test('[R15.3] a full pool and one that waits: targets are kept for who moves', async () => {
  const { exit, out, err } = await renumber(
    pool('lan', '172.17.0.80-172.17.0.81') + service('web/a') + service('web/b') + service('web/c'),
  )
  expect(exit, err).toBe(2)
  expect(movesOf(out)).toEqual({
    'web/a': '172.17.0.80 -> 172.27.0.80',
    'web/b': '172.17.0.81 -> 172.27.0.81',
  })
  expect(out).toContain('Address/172.27.0.80  reserved for web/a while it moves')
})

test('[R15.4] refused if a Service would end without its address, and why', async () => {
  const owned = pool('lan', '172.17.0.80-172.17.0.90').replace(
    'name: lan,',
    'name: lan, ownerReferences: [{apiVersion: v1, kind: Thing, name: t, uid: u}],',
  )
  const { exit, out, err } = await renumber(
    owned + service('web/a') + service('web/b', asks('172.17.0.85')),
  )
  expect([exit, out]).toEqual([1, ''])
  expect(err).toMatch(
    /Service\/web\/a: status: it would end with .* not with 172\.27\.0\.80: .*172\.27\.0\.80/,
  )
})

test('[R15.4] refused if the new address is reserved for somebody else', async () => {
  const address = (ip: string, whom: string): string => `---
apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: ${ip}}
spec: {address: ${ip}, reservedFor: {namespace: web, name: ${whom}}}
`
  const lan = pool('lan', '172.17.0.80-172.17.0.90')
  const target = await renumber(lan + service('web/a') + address('172.27.0.80', 'other'))
  expect([target.exit, target.out]).toEqual([1, ''])
  expect(target.err).toContain(
    'Address/172.27.0.80: spec.reservedFor: it is reserved for Service/web/other',
  )
  const both = await renumber(lan + address('172.17.0.80', 'one') + address('172.27.0.80', 'other'))
  expect([both.exit, both.out]).toEqual([1, ''])
  const held = await renumber(
    lan + service('web/a', asks('172.17.0.80')) + address('172.27.0.80', 'a'),
  )
  expect(held.exit, held.err).toBe(2)
})

test('[R15.3] Services of other controllers are not touched; peers and hosts are listed', async () => {
  const { exit, out, err } = await renumber(
    pool('lan', '172.17.0.80-172.17.0.90') +
      service('web/a') +
      service('web/foreign', '', 'loadBalancerClass: io.cilium/x, loadBalancerIP: 172.17.0.9') +
      `---
apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: router, namespace: metallb-system}
spec: {myASN: 64512, peerASN: 64513, peerAddress: 172.17.0.1}
${tenant('os1', 'Strict').replaceAll('172.17.0', '172.18.0')}  bgp: {myASN: 64512, peers: [{address: 172.17.0.2, asn: 64513}]}
---
apiVersion: network.openstack.org/v1beta1
kind: NetConfig
metadata: {name: netconfig, namespace: openstack}
spec:
  networks:
  - name: internalapi
    dnsDomain: internalapi.example.com
    subnets:
    - {name: subnet1, cidr: 172.17.0.0/24, vlan: 20, allocationRanges: [{start: 172.17.0.100, end: 172.17.0.250}]}
---
apiVersion: network.openstack.org/v1beta1
kind: IPSet
metadata: {name: node-0, namespace: openstack}
spec: {networks: [{name: internalapi, subnetName: subnet1, fixedIP: 172.17.0.100}]}
`,
  )
  expect(exit, err).toBe(2)
  expect(out).not.toContain('foreign')
  expect(out).toContain(
    '\n  BGPPeer/metallb-system/router\n  IPSet/openstack/node-0\n  NetConfig/openstack/netconfig\n  Tenant/os1  spec.bgp.peers\n',
  )
})

test('[R15.1] a cluster that is changed is never guessed', async () => {
  const localKubeconfig = async () => '/local'
  const args = ['renumber', '172.17.0.0/24', '172.27.0.0/24', '--live', '--apply']
  const { exit, err } = await berth(args, { localKubeconfig })
  expect(err).toContain("if you mean the 'berth up' that runs here, add --kubeconfig /local\n")
  expect(exit).toBe(1)
})
