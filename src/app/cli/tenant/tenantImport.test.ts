// Does `berth tenant import` propose what is there and what environment files say, and nothing
// else?
import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const first = `# instance 1
export OPENSTACK_NAMESPACE=openstack
export NETWORK_INTERNALAPI_ADDRESS_PREFIX="172.17.0"   # the default
METALLB_POOL='192.168.122.80-192.168.122.90'
`
const second = `export OPENSTACK_NAMESPACE=openstack2
NETWORK_INTERNALAPI_ADDRESS_PREFIX=172.27.0
NETWORK_STORAGE_ADDRESS_PREFIX=172.29.0
NETWORK_TENANT_ADDRESS_PREFIX=172.31.0
NETWORK_VLAN_START=30
NETWORK_VLAN_STEP=2
NNCP_INTERFACE=enp7s0
NNCP_BRIDGE=br2
METALLB_POOL=192.168.122.100-192.168.122.110
NETWORK_BGP=true
BGP_ASN=65001
BGP_PEER_ASN=65002
BGP_LEAF_1=100.65.4.1
BGP_LEAF_2=100.64.4.1
`
const imported = (files: Record<string, string>, ...args: readonly string[]) => {
  const folder = folderOf(files)
  const given = Object.keys(files).flatMap((name) => ['--env', `${folder}/${name}`])
  return berth(['tenant', 'import', ...given, ...args])
}

test("[R4.31] two instances' environment files become two Tenants that fit beside each other", async () => {
  const { exit, out, err } = await imported({ 'one.env': first, 'two.env': second })
  expect(exit, err).toBe(0)
  expect(out.match(/^kind: Tenant$/gm)).toHaveLength(2)
  expect(out).toContain(`  - name: storage
    cidrs:
    - 172.29.0.0/24
    translateFrom:
    - 172.18.0.0/24
    vlan: 32
    interface: enp7s0
    loadBalancer:
    - 172.29.0.80-172.29.0.90
    attachments:
    - 172.29.0.30-172.29.0.70
    nodes:
    - 172.29.0.100-172.29.0.250
    announce: BGP
`)
  expect(out).toContain('requestedAddresses: Translate')
  expect(out).toContain('    myASN: 65001\n    peers:\n    - address: 100.65.4.1\n      asn: 65002')
})

test('[R4.31] without a namespace: plain pools for everybody', async () => {
  const { exit, out, err } = await imported({
    'one.env': 'METALLB_POOL=192.168.122.80-192.168.122.90',
  })
  expect(exit, err).toBe(0)
  expect(out).not.toContain('Tenant')
  expect(out).not.toContain('serviceAllocation')
  const pools = [...out.matchAll(/kind: IPAddressPool\nmetadata:\n {2}name: (\S+)/g)]
  expect(pools.map(([, name]) => name)).toEqual(['ctlplane', 'internalapi', 'storage', 'tenant'])
  expect(out).toContain('  interfaces:\n  - enp6s0.20\n')
})

test('[R4.31] shell in an environment file is told, and never run', async () => {
  const folder = folderOf({ mark: '' })
  const { exit, out, err } = await imported({
    'one.env': `if true; then touch ${folder}/ran; fi
NETWORK_INTERNALAPI_ADDRESS_PREFIX=$(touch ${folder}/ran; echo 172.40.0)
NETWORK_STORAGE_ADDRESS_PREFIX=172.99.0
NETWORK_STORAGE_ADDRESS_PREFIX="$OTHER"
METALLB_POOL="\${PREFIX}.80-90"
NNCP_INTERFACE=\`touch ${folder}/ran\`
OPENSTACK_NAMESPACE=os1
UNKNOWN=1
`,
  })
  // The proposal has defaults where the file has something else.
  expect(exit, err).toBe(1)
  expect(err).toContain('one.env:2: NETWORK_INTERNALAPI_ADDRESS_PREFIX is worked out by a shell')
  expect(err).toContain('one.env:5: METALLB_POOL is worked out by a shell')
  expect(err).toContain('one.env:1: not an assignment, and not executed')
  expect(err).toContain('UNKNOWN: no part of a Tenant')
  expect(out).toContain('172.17.0.0/24')
  expect(out).not.toContain('172.99.0')
  expect((await import('node:fs')).existsSync(`${folder}/ran`)).toBe(false)
})

test.each([
  ['NETWORK_STORAGE_ADDRESS_PREFIX=172.18', 'write three octets'],
  ['NETWORK_VLAN_START=twenty', 'write a number'],
  ['METALLB_POOL=192.168.122.90-192.168.122.80', 'write a range'],
  [
    'NETWORK_VLAN_START=5000',
    'one.env: NETWORK_VLAN_START, NETWORK_VLAN_STEP: network internalapi',
  ],
  ['NETWORK_MTU=9', 'NETWORK_MTU="9": write a number from 68 to 65535'],
  ['BGP_ASN=0', 'write an AS number'],
  [
    'NNCP_INTERFACE=averyverylonginterface',
    'NNCP_INTERFACE: averyverylonginterface.20 of network internalapi is longer than the 15 characters',
  ],
  ['NNCP_BRIDGE=a/b', 'write the name of an interface'],
  ['OPENSTACK_NAMESPACE="open stack"', 'write the name of a namespace'],
  ['OPENSTACK_NAMESPACE=$(hostname)', 'OPENSTACK_NAMESPACE: it cannot be read'],
])('[R4.31] %s is refused by name', async (line, why) => {
  const { exit, out, err } = await imported({ 'one.env': `NAMESPACE=os1\n${line}\n` })
  expect([exit, out]).toEqual([1, ''])
  expect(err).toContain(why)
})

test('[R4.31] a namespace that cannot be read is not the same as none', async () => {
  const alone = await imported({ 'one.env': 'NAMESPACE=$X\n' })
  expect([alone.exit, alone.out]).toEqual([1, ''])
  expect(alone.err).toContain('one.env: NAMESPACE: it cannot be read, so nothing is proposed')
  const named = await imported({ 'one.env': 'OPENSTACK_NAMESPACE=os1\nNAMESPACE="$X"\n' })
  expect(named.exit, named.err).toBe(0)
  expect(named.out).toContain('name: os1')
})

test.each([
  ['a file that is something else', '# Notes\n\nhello world\nA=1\n', 'sets none of the variables'],
  ['an empty file', '', 'sets none of the variables'],
  [
    'one that leaves the namespace to another',
    'set -euo pipefail\nsource common.env\nMETALLB_POOL=192.0.2.80-192.0.2.90\n',
    'one.env: OPENSTACK_NAMESPACE: a line that is not executed may name a namespace',
  ],
])('[R4.31] %s gives no pools for everybody', async (_, text, why) => {
  const { exit, out, err } = await imported({ 'one.env': text })
  expect([exit, out]).toEqual([1, ''])
  expect(err).toContain(why)
})

test('[R4.31] what another file may set beside the namespace is told by the exit status', async () => {
  const text = 'source common.env\nexport OPENSTACK_NAMESPACE\nOPENSTACK_NAMESPACE=os1\n'
  const { exit, out, err } = await imported({ 'one.env': text })
  expect(exit).toBe(1)
  expect(out).toContain('name: os1')
  expect(err).toContain('one.env:1: not an assignment, and not executed: source common.env')
  expect(err).not.toContain('one.env:2')
})

const both = (line: string): string => `OPENSTACK_NAMESPACE=os1\n${line}\nNETWORK_MTU=1500\n`
test.each([
  ['another file is sourced', both('source common.env')],
  ['there is a branch', both('if true; then export OPENSTACK_NAMESPACE=os2; fi')],
  ['the line goes on', both('NNCP_INTERFACE=eth1; OPENSTACK_NAMESPACE=os2')],
  [
    'it is one of two',
    both('if true; then\nOPENSTACK_NAMESPACE=os2\nelse\nOPENSTACK_NAMESPACE=os3\nfi'),
  ],
  ['a function is called', both('f() {\nOPENSTACK_NAMESPACE=os2\n}\nf')],
  ['something is added to it', both('OPENSTACK_NAMESPACE+=2')],
  ['the file may set what counts first', 'source common.env\nNAMESPACE=os1\n'],
])('[R4.31] a namespace is not read where %s', async (_, text) => {
  const { exit, out, err } = await imported({ 'one.env': text })
  expect([exit, out]).toEqual([1, ''])
  expect(err).toMatch(/OPENSTACK_NAMESPACE: .*, so nothing is proposed; write /)
})

test.each([
  `: "\${NETWORK_MTU:=9000}"`,
  'readonly OPENSTACK_NAMESPACE',
  'readonly NETWORK_MTU=9000',
  'declare -x NETWORK_MTU=9000 NETWORK_VLAN_STEP=1 # two of them',
  'export NETWORK_MTU="$MTU"',
])('[R4.31] %s says nothing of a namespace before it', async (line) => {
  const { out, err } = await imported({ 'one.env': `OPENSTACK_NAMESPACE=os1\n${line}\n` })
  expect(out, err).toContain('name: os1')
})

test('[R4.31] a word of the shell in a comment or a text opens no block', async () => {
  const { out, err } = await imported({
    'one.env': `echo "variables for region one" # if anybody reads it
source ./common.sh   # needed for all
PEERS=(
  a
)
setup() {
  NNCP_INTERFACE=eth9
}
OPENSTACK_NAMESPACE=os1
NNCP_INTERFACE=eth1
`,
  })
  expect(err).toContain('one.env:7: NNCP_INTERFACE is set inside a block')
  expect(out).toContain('name: os1')
  expect(out).toContain('interface: eth1')
})

test('[R4.31] several assignments of a line count, those inside a block do not', async () => {
  const { exit, out, err } = await imported({
    'one.env': `NETWORK_VLAN_START=30
if [ "$SITE" = b ]
then
  NETWORK_VLAN_START=40
else
  NETWORK_VLAN_START=50
fi
NNCP_INTERFACE=eth1
[ "$SITE" = b ] && NNCP_INTERFACE=eth2
export OPENSTACK_NAMESPACE=os1 NETWORK_MTU=9000
`,
  })
  expect(exit, err).toBe(1)
  expect(err).toContain('one.env:4: NETWORK_VLAN_START is set inside a block')
  expect(out).toContain('vlan: 20')
  expect(out).toContain('interface: enp6s0')
  expect(out).toContain('mtu: 9000')
})

test('[R4.31] two instances that clash are refused with both names', async () => {
  const { exit, err } = await imported({ 'one.env': first, 'two.env': 'NAMESPACE=openstack2' })
  expect(exit).toBe(1)
  expect(err).toContain('openstack')
})

const pool = (name: string, range: string): string => `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: ${name}, namespace: metallb-system}
spec: {addresses: [${range}]}
`
const attachment = (namespace: string): string => `---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: internalapi, namespace: ${namespace}}
spec:
  config: '{"type": "macvlan", "master": "eth1.20", "ipam": {"type": "whereabouts", "range": "172.17.0.0/24"}}'
`
const service = (namespace: string, name: string, asked: string): string => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: ${namespace}, annotations: {metallb.io/address-pool: ${asked}}}
spec: {type: LoadBalancer, ports: [{port: 80}]}
`

test('[R4.30] a pool that others use too is listed, and its users keep what they have', async () => {
  const folder = folderOf({
    'all.yaml':
      pool('internalapi', '172.17.0.80-172.17.0.90') +
      pool('shared', '192.0.2.0/28') +
      attachment('os1') +
      service('os1', 'keystone', 'internalapi') +
      service('os1', 'horizon', 'shared') +
      service('web', 'shop', 'shared'),
  })
  const { exit, out, err } = await berth(['tenant', 'import', '-f', folder])
  expect(exit, err).toBe(0)
  expect(err).toContain('IPAddressPool/shared: several namespaces use it: os1, web')
  expect(err).toContain('Nothing would move: 3 Services keep their addresses.')
  expect(out).toContain('  openPools: true\n')
  expect(out).not.toContain('name: shared')
})

test('[R4.30] what cannot be read is told, the rest is proposed, and the exit status says so', async () => {
  const good = pool('internalapi', '172.17.0.80-172.17.0.90') + attachment('os1')
  const folder = folderOf({ 'all.yaml': good, 'broken.yaml': 'a: [', 'one.env': first })
  const files = ['-f', `${folder}/all.yaml`, '-f', `${folder}/broken.yaml`]
  const { exit, out, err } = await berth(['tenant', 'import', ...files])
  expect(exit).toBe(1)
  expect(err).toContain('broken.yaml:1: ')
  expect(out).toContain('kind: Tenant')
  const broken = ['-f', `${folder}/broken.yaml`, '--env', `${folder}/one.env`]
  const beside = await berth(['tenant', 'import', ...broken])
  expect(beside.exit).toBe(1)
  expect(beside.err).toContain('broken.yaml:1: ')
})

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

test('[R4.30] of two subnets of a network the one with the pool counts, and the other is listed', async () => {
  for (const subnets of [
    ['192.168.122', '192.168.123'],
    ['192.168.123', '192.168.122'],
  ]) {
    const all = pool('ctlplane', '192.168.122.80-192.168.122.90') + netConfig(subnets)
    const { out, err } = await berth(['tenant', 'import', '-f', folderOf({ 'all.yaml': all })])
    expect(out).toContain('  - name: ctlplane\n    cidrs:\n    - 192.168.122.0/24\n')
    expect(out).not.toContain('192.168.123')
    expect(err).toContain(
      'Namespace/os1: network ctlplane has another subnet of this family, so 192.168.123.0/24 is left out',
    )
  }
})

test('[R4.30] a pool whose name no network can have leaves its network its own name', async () => {
  const all = pool('internal.api', '172.17.0.80-172.17.0.90') + attachment('os1')
  const { exit, out, err } = await berth(['tenant', 'import', '-f', folderOf({ 'a.yaml': all })])
  expect(exit, err).toBe(0)
  expect(out).toContain('  - name: internalapi\n    cidrs:\n    - 172.17.0.0/24\n')
  const dotted = attachment('os1').replace('name: internalapi', 'name: internal.api')
  const none = await berth(['tenant', 'import', '-f', folderOf({ 'a.yaml': dotted })])
  expect(none.err).toContain('"internal.api" cannot be the name of a network, so 172.17.0.0/24')
})

test('[R4.30] the order of the objects changes nothing', async () => {
  const other = attachment('os1').replace('name: internalapi', 'name: api2').replace('.20', '.30')
  const objects = [
    pool('two', '172.17.0.91-172.17.0.95'),
    pool('one', '172.17.0.80-172.17.0.90'),
    attachment('os1'),
    other,
  ]
  const proposed = async (given: readonly string[]) =>
    (await berth(['tenant', 'import', '-f', folderOf({ 'all.yaml': given.join('') })])).out
  expect(await proposed(objects)).toBe(await proposed(objects.toReversed()))
})

test('[R4.30] what stays as it is is listed by kind', async () => {
  const advertisement = `---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: all, namespace: metallb-system}
spec: {}
`
  const text = pool('internalapi', '172.17.0.80-172.17.0.90') + advertisement + attachment('os1')
  const folder = folderOf({ 'all.yaml': text + attachment('os2') })
  const { err } = await berth(['tenant', 'import', '-f', folder])
  expect(err).toMatch(
    /^Stay as they are, with their ranges; Berth does not create or delete them$/m,
  )
  expect(err).toContain('\n  L2Advertisement: metallb-system/all (a Tenant makes them for its own')
  expect(err).toContain('os1/internalapi (a Tenant would make it with another ipam)\n')
  expect(err).toContain('os2/internalapi (a Tenant would make it with another ipam)\n')
})
