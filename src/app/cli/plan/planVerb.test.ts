import { expect, test } from 'vitest'
import { berth, folderOf, pool, service } from '../../../../test/build/terminal.ts'

const lan = pool('lan', '10.0.0.1-10.0.0.2')

test('what is gained, and exit 2', async () => {
  const folder = folderOf({ 'a.yaml': lan + service('web') })
  const { exit, out, err } = await berth(['plan', '-f', folder])
  expect(out).toContain('+ default/web  10.0.0.1  from lan')
  expect(out).toContain('Plan: 1 gained, 0 moved, 0 lost, 0 kept, 0 waiting')
  expect([exit, err]).toEqual([2, ''])
})

test('what stands already changes nothing, and exit 0', async () => {
  const folder = folderOf({ 'a.yaml': lan + service('web') })
  const { exit, out } = await berth(['plan', '-f', folder, '--against', folder])
  expect(out).toContain('0 gained, 0 moved, 0 lost, 1 kept')
  expect(exit).toBe(0)
})

test('a moved pool moves, a removed Service loses with --prune', async () => {
  const before = folderOf({ 'a.yaml': lan + service('gone') + service('web') })
  const after = folderOf({ 'a.yaml': pool('lan', '10.9.0.0/30') + service('web') })
  const { exit, out } = await berth(['plan', '-f', after, '--against', before, '--prune'])
  const why = 'the Service is deleted, or is no longer a load balancer'
  expect(out).toContain(`- default/gone  10.0.0.1\n      ${why}\n`)
  expect(out).toContain('~ default/web   10.0.0.2 -> 10.9.0.0  from lan')
  expect(exit).toBe(2)
})

test('a pool that is refused: every fault is named, a field that it does not have too', async () => {
  const ranges = '10.0.0.1-10.0.0.300, bad'
  const folder = folderOf({
    'a.yaml': pool('lan', ranges).replace('{addr', '{autoAsign: no, addr'),
  })
  const { exit, err } = await berth(['plan', '-f', folder])
  expect(err).toContain('spec.addresses[0]: Invalid value')
  expect(err).toContain('spec.addresses[1]: Invalid value')
  expect(err).toContain('unknown field "spec.autoAsign"; did you mean autoAssign?')
  expect(exit).toBe(1)
})

test('who waits is told why and what to do', async () => {
  const folder = folderOf({
    'a.yaml': lan + service('web', 'metallb.io/loadBalancerIPs: 10.9.9.9'),
  })
  const { exit, out } = await berth(['plan', '-f', folder])
  expect(out).toContain('! default/web  waits')
  expect(out).toContain('address-not-in-pool: no pool contains 10.9.9.9')
  expect(out).toContain('remedy: request an address in a pool')
  expect(exit).toBe(2)
})

test('addresses and ages of an export are kept', async () => {
  const exported = `${lan}---
apiVersion: v1
kind: Service
metadata: {name: old, namespace: default, creationTimestamp: "2020-01-01T00:00:00Z"}
spec: {type: LoadBalancer, clusterIPs: [10.96.0.1], ports: [{port: 80}]}
status: {loadBalancer: {ingress: [{ip: 10.0.0.2, ipMode: VIP}]}}
`
  const before = folderOf({ 'a.yaml': exported })
  const { out } = await berth(['plan', '-f', before, '--against', before, '-o', 'wide'])
  expect(out).toContain('default/old  10.0.0.2  from lan')
})

test('what an API holds is older than what the plan adds', async () => {
  const held = (name: string, created: string) => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: default, uid: ${name}-1, creationTimestamp: "${created}"}
spec: {type: LoadBalancer, clusterIPs: [10.96.0.1], ports: [{port: 80}]}
`
  const services = held('first', '2026-10-01T00:00:00Z') + held('waits', '2026-11-01T00:00:00Z')
  const before = folderOf({ 'a.yaml': pool('lan', '10.0.0.1/32') + services })
  const after = folderOf({ 'b.yaml': lan + service('added') })
  const { out } = await berth(['plan', '-f', after, '--against', before])
  expect(out).toContain('+ default/waits  10.0.0.2')
  expect(out).toContain('! default/added  waits')
})

test('bad files are told with their line, the rest is planned, exit 1', async () => {
  const folder = folderOf({
    'bad.yaml': 'a: 1\nb: [\n',
    'good.yaml': lan + service('web'),
    'refused.yaml': pool('crossed', '10.5.0.9-10.5.0.1'),
  })
  const { exit, out, err } = await berth(['plan', '-f', folder])
  expect(out).toContain('+ default/web  10.0.0.1')
  expect(err).toMatch(/bad\.yaml:[23]: /)
  expect(err).toMatch(
    /refused\.yaml:5: IPAddressPool\/metallb-system\/crossed: spec\.addresses\[0\]/,
  )
  expect(exit).toBe(1)
})

test('JSON carries its schema', async () => {
  const stdin = lan + service('web')
  const { out } = await berth(['plan', '-f', '-', '-o', 'json'], stdin)
  expect(JSON.parse(out)).toMatchObject({
    schema: 'berth.dev/plan/v1',
    addresses: [{ service: 'default/web', action: 'gain', after: ['10.0.0.1'], pool: 'lan' }],
  })
})

test('objects of groups that Berth does not know are passed over', async () => {
  const deployment = 'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\n'
  const { exit, out, err } = await berth(['plan', '-f', '-'], deployment)
  expect(out).toContain('1 object of other kinds skipped.')
  expect([exit, err]).toEqual([0, ''])
})

test('who waited before and waits still is no change', async () => {
  const folder = folderOf({
    'a.yaml': lan + service('web', 'metallb.io/loadBalancerIPs: 10.9.9.9'),
  })
  const asked = ['plan', '-f', folder, '--against', folder]
  const { exit, out } = await berth(asked)
  expect(out).not.toContain('default/web')
  expect(out).toContain('1 waiting (1 as before)')
  expect(exit).toBe(0)
  const wide = await berth([...asked, '-o', 'wide'])
  expect(wide.out).toContain('! default/web  waits, as before')
})

test('a renamed pool keeps its addresses with --prune', async () => {
  const before = folderOf({ 'a.yaml': lan + service('web') })
  const after = folderOf({ 'a.yaml': pool('wan', '10.0.0.1-10.0.0.2') + service('web') })
  const { exit, out, err } = await berth(['plan', '-f', after, '--against', before, '--prune'])
  expect(out).toContain('0 moved, 0 lost, 1 kept')
  expect([exit, err]).toEqual([0, ''])
})

test('an address that nobody announces is told with the reason', async () => {
  const folder = folderOf({ 'a.yaml': lan + service('web') })
  const { out } = await berth(['plan', '-f', folder])
  expect(out).toContain('! 10.0.0.1 (default/web) is not announced')
  expect(out).toContain('no L2Advertisement or BGPAdvertisement covers pool lan')
  expect(out).toMatch(/announcements \+0 ~0 -0, 1 not announced; 1 problem\.$/m)
})

test('what could not be read makes the plan incomplete, in text and in JSON', async () => {
  const folder = folderOf({ 'a.yaml': lan + service('web'), 'b.yaml': pool('x', '10.0.0.2/32') })
  const text = await berth(['plan', '-f', folder])
  expect(text.out).toContain('Incomplete: 1 item could not be read or would be refused.')
  const json = await berth(['plan', '-f', folder, '-o', 'json'])
  expect(JSON.parse(json.out)).toMatchObject({ isComplete: false, troubles: [expect.any(String)] })
})

const standing = () => folderOf({ 'a.yaml': lan + service('api') + service('web') })

test('what a deletion takes is shown, and who waits then', async () => {
  const { exit, out } = await berth(['plan', '--delete', 'pool/lan', '--against', standing()])
  expect(out).toMatch(/- default\/api +10\.0\.0\.1$/m)
  expect(out).toContain('Plan: 0 gained, 0 moved, 2 lost, 0 kept, 2 waiting')
  expect(exit).toBe(2)
})

test('a deletion frees an address for who waits, together with what is applied', async () => {
  const before = folderOf({ 'a.yaml': lan + service('api') + service('web') + service('zoo') })
  const { out } = await berth(['plan', '--delete', 'svc/default/api', '--against', before])
  expect(out).toMatch(/- default\/api +10\.0\.0\.1$/m)
  expect(out).toMatch(/\+ default\/zoo +10\.0\.0\.1 {2}from lan$/m)
  const wan = folderOf({ 'b.yaml': pool('wan', '10.0.0.1-10.0.0.2') })
  const both = ['plan', '-f', wan, '--delete', 'IPAddressPool/lan', '--against', standing()]
  expect((await berth(both)).out).toContain('0 moved, 0 lost, 2 kept')
})

test.each([
  ['nonsense/lan', /"nonsense" is not a kind that berth reads; write KIND\/NAME/],
  ['pool', /"pool" names no object/],
  ['tenant/a/b', /Tenant has no namespace: write tenant\/b/],
])('--delete %s says what is wrong', async (text, why) => {
  const { exit, err } = await berth(['plan', '--delete', text, '--against', standing()])
  expect(err).toMatch(why)
  expect(exit).toBe(1)
})

test('--delete of what is not there is told, exit 1', async () => {
  const { exit, err } = await berth(['plan', '--delete', 'pool/none', '--against', standing()])
  expect(err).toBe('berth: there is no IPAddressPool/metallb-system/none\n')
  expect(exit).toBe(1)
  const against = ['--against', standing()]
  const near = await berth(['plan', '--delete', 'pool/lna', ...against])
  expect(near.err).toContain('lna; did you mean IPAddressPool/metallb-system/lan?')
  const elsewhere = await berth(['plan', '--delete', 'svc/shop/web', ...against])
  expect(elsewhere.err).toContain('did you mean Service/default/web?')
  const kind = await berth(['plan', '--delete', 'pol/lan', ...against])
  expect(kind.err).toContain('"pol" is not a kind that berth reads; did you mean pool?')
})

test('a prune looks at the labels that it is told', async () => {
  const labelled = service('web').replace('name: web,', 'name: web, labels: {app: site},')
  const before = folderOf({ 'a.yaml': lan + service('api') + labelled })
  const after = folderOf({ 'a.yaml': lan })
  const { out } = await berth([
    'plan',
    '-f',
    after,
    '--against',
    before,
    '--prune',
    '-l',
    'app=site',
  ])
  expect(out).toMatch(/- default\/web +10\.0\.0\.2$/m)
  expect(out).toContain('1 lost, 1 kept')
})

test('a prune of a running API names what it looks at', async () => {
  const { exit, err } = await berth(['plan', '-f', standing(), '--live', '--prune'])
  expect(err).toContain('--prune of a running API needs either -l SELECTOR or --all')
  expect(exit).toBe(1)
})

test('a problem of two objects is told and counted once, as lint does', async () => {
  const yaml = `${pool('lan', '10.0.0.1-10.0.0.9')}---
apiVersion: network.openstack.org/v1beta1
kind: NetConfig
metadata: {name: net, namespace: openstack}
spec:
  networks:
  - name: ctlplane
    dnsDomain: ctlplane.example
    mtu: 1500
    subnets:
    - name: one
      cidr: 10.0.0.0/24
      allocationRanges: [{start: 10.0.0.5, end: 10.0.0.20}]
`
  const folder = folderOf({ 'a.yaml': yaml })
  const lint = await berth(['lint', '-f', folder])
  expect(lint.out).toMatch(/^1 error, 0 warnings in /m)
  const { out } = await berth(['plan', '-f', folder])
  const first = '  ! overlap-vip-node IPAddressPool/metallb-system/lan\n'
  expect(out).toContain(`${first}    and NetConfig/openstack/net\n`)
  expect(out).toMatch(/; 1 problem\.$/m)
})

test('of two objects with one name, plan says with the words of lint which one counts', async () => {
  const folder = folderOf({ 'a.yaml': lan, 'b.yaml': pool('lan', '10.0.0.9/32') })
  const sentence = 'the one in .*b.yaml:2 replaces the one in .*a.yaml:2'
  const { err } = await berth(['plan', '-f', folder])
  expect(err).toMatch(new RegExp(`: two objects have the same name: ${sentence}$`, 'm'))
  const { out } = await berth(['lint', '-f', folder, '-o', 'json'])
  expect(JSON.parse(out).findings[0].message).toMatch(new RegExp(sentence))
})

const namespace = (team: string) => `---
apiVersion: v1
kind: Namespace
metadata: {name: default, labels: {team: ${team}}}
`
const tenant = (name: string, addresses: string) => `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: ${name}}
spec:
  namespaces: {selector: {matchLabels: {team: ${name}}}}
  networks: [{name: net, cidrs: [10.0.0.0/16], loadBalancer: [${addresses}]}]
`
const tenants = tenant('red', '10.0.1.1-10.0.1.9') + tenant('blue', '10.0.2.1-10.0.2.9')

test('a namespace that is relabelled moves to another tenant, and its Services with it', async () => {
  const before = folderOf({ 'a.yaml': tenants + namespace('red') + service('web') })
  const change = folderOf({ 'a.yaml': namespace('blue') })
  const { exit, out } = await berth(['plan', '-f', change, '--against', before])
  expect(out).toContain('~ default/web  10.0.1.1 -> 10.0.2.1  from blue-net')
  expect(exit).toBe(2)
})

test('a pool that selects namespaces by label loses one that is relabelled', async () => {
  const red = lan.replace(
    'spec: {',
    'spec: {serviceAllocation: {namespaceSelectors: [{matchLabels: {team: red}}]}, ',
  )
  const before = folderOf({ 'a.yaml': red + namespace('red') + service('web') })
  const change = folderOf({ 'a.yaml': namespace('blue') })
  const { exit, out } = await berth(['plan', '-f', change, '--against', before])
  expect(out).toMatch(/- default\/web +10\.0\.0\.1/)
  expect(out).toContain('no-pool: no pool with autoAssign admits the Service')
  expect(exit).toBe(2)
})

const node = (name: string): string =>
  `---\napiVersion: v1\nkind: Node\nmetadata: {name: ${name}, labels: {rack: ${name}}}\n`
const peer = (name: string, spec: string): string => `---
apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: ${name}, namespace: metallb-system}
spec: {myASN: 64512, peerASN: 64513, peerAddress: 192.0.2.1, ${spec}}
`
const nodes = node('node-1') + node('node-2')

test.each([
  ['holdTime: 30s', '~ tor  from node-1, node-2: reset, its routes are withdrawn until'],
  ['enableGracefulRestart: true', '~ tor  from node-1, node-2: reset'],
  ['nodeSelectors: [{matchLabels: {rack: node-2}}]', '- tor  from node-1\n'],
])('[R8.9] a BGPPeer with %s changes sessions', async (spec, line) => {
  const before = folderOf({ 'a.yaml': nodes + peer('tor', 'holdTime: 90s') })
  const after = folderOf({ 'a.yaml': nodes + peer('tor', spec) })
  const { exit, out } = await berth(['plan', '-f', after, '--against', before])
  expect(out).toContain(`BGP sessions\n  ${line}`)
  expect(exit).toBe(2)
})

test('[R8.9] what applies to the session that is there resets none', async () => {
  const before = folderOf({ 'a.yaml': nodes + peer('tor', 'holdTime: 90s, keepaliveTime: 30s') })
  const spec = 'holdTime: 90s, keepaliveTime: 10s, connectTime: 5s'
  const after = folderOf({ 'a.yaml': nodes + peer('tor', spec) })
  const { exit, out } = await berth(['plan', '-f', after, '--against', before])
  expect(out).not.toContain('BGP sessions')
  expect(exit).toBe(0)
})

test('a new BGPPeer opens a session on each node that it selects', async () => {
  const before = folderOf({ 'a.yaml': nodes })
  const after = folderOf({ 'a.yaml': peer('tor', 'holdTime: 90s') })
  const { out } = await berth(['plan', '-f', after, '--against', before])
  expect(out).toContain('BGP sessions\n  + tor  from node-1, node-2\n')
})
