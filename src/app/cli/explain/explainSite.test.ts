// Proves that berth explain site says where the Site stands, and what to do next.
import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const site = (external: string, more = '') => `---
apiVersion: berth.dev/v1alpha1
kind: Site
metadata: {name: cluster}
spec:
  internalNetwork: 10.0.0.0/24
  external: ${external}
${more}`
const node = `---
apiVersion: v1
kind: Node
metadata:
  name: metal-1
  annotations: {berth.dev/interface-addresses: 'eth0=10.0.0.5/24,eth1=203.0.113.5/24'}
`
const endpoints = (namespace: string, name: string) => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: ${name}, namespace: ${namespace}, labels: {kubernetes.io/service-name: ${name}}}
addressType: IPv4
ports: [{port: 6443}]
endpoints: [{addresses: [10.0.0.5], nodeName: metal-1, conditions: {ready: true}}]
`
const api = endpoints('openshift-kube-apiserver', 'metallb-api')
const ingress = endpoints('openshift-ingress', 'metallb-ingress')
const vips =
  'apiVIP: 203.0.113.10, ingressVIP: 203.0.113.11, interface: eth1, baseDomain: a.example'
const routed = `${vips}, gateway: 203.0.113.1, routes: [{destination: 192.0.2.0/24}]`

const explain = (text: string, ...more: readonly string[]) =>
  berth(['explain', 'site', '-f', folderOf({ 'a.yaml': text }), ...more])
const last = (out: string) => out.trimEnd().split('\n').at(-1)

test('[R6.13] which VIPs, who announces them, names, routes and what comes next', async () => {
  const { exit, out, err } = await explain(node + site(`{${routed}}`) + api + ingress)
  expect([exit, err]).toEqual([0, ''])
  expect(out).toContain(`Site cluster
  internal network  10.0.0.0/24
  announced by      Layer2 on eth1
  gateway           203.0.113.1

What each phase waits for (+ done, - waits)
  + arrived
  + made
  + addressed
  + announced
  + routed

VIP of the API
  address  203.0.113.10
  Service  openshift-kube-apiserver/metallb-api
  pool     metallb-api-vip
  Who announces it
    + metal-1  layer2 203.0.113.10 on eth1
`)
  expect(out).toContain('  *.apps.a.example -> 203.0.113.11\n')
  expect(out).toContain('  192.0.2.0/24 via 203.0.113.1 on eth1\n')
  expect(last(out)).toBe('  berth site verify')
})

test('[R6.13] what nmstate has not done yet is waited for', async () => {
  const policy = `---
apiVersion: nmstate.io/v1
kind: NodeNetworkConfigurationPolicy
metadata:
  name: berth.site
  uid: u-policy
  labels: {app.kubernetes.io/managed-by: berth, berth.dev/site: cluster}
  ownerReferences:
  - {apiVersion: berth.dev/v1alpha1, kind: Site, name: cluster, uid: u-site, controller: true}
spec:
  maxUnavailable: 1
  desiredState:
    routes:
      config:
      - destination: 192.0.2.0/24
        next-hop-address: 203.0.113.1
        next-hop-interface: eth1
status: {conditions: [{type: STATE, status: 'True', reason: x}]}
`
  const owner = site(`{${routed}}`).replace('name: cluster}', 'name: cluster, uid: u-site}')
  const text = node + owner + api + ingress
  const working = await explain(text + policy.replace('STATE', 'Progressing'))
  expect(working.out).toMatch(/^ {2}- routed .*berth\.site: for nmstate$/m)
  expect(last(working.out)).toBe('  berth site status')
  const done = await explain(text + policy.replace('STATE', 'Available'))
  expect(done.out).toContain('  + routed\n')
})

test('[R6.13] before the cluster has arrived', async () => {
  const bare = site('').replace('  external: \n', '')
  const { out } = await explain(node + bare)
  expect(out).toContain('  - arrived  spec.external has no addresses yet\n')
  expect(last(out)).toBe('  berth site apply --api-vip ADDRESS --ingress-vip ADDRESS')
})

test('[R6.13] whom nobody announces is named, with the command that says why', async () => {
  const { out } = await explain(node + site(`{${vips}}`) + api)
  expect(out).toMatch(/^ {2}- announced {2}openshift-ingress\/metallb-ingress: .*endpoint/m)
  expect(last(out)).toBe('  berth explain service openshift-ingress/metallb-ingress')
})

test('[R6.13] a name that is taken holds up the rest', async () => {
  const taken = `---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: external, namespace: metallb-system}
`
  const { out } = await explain(taken + node + site(`{${vips}}`) + api + ingress)
  expect(out).toMatch(/^ {2}- made {7}L2Advertisement\/metallb-system\/external: it was not made/m)
  expect(out).toContain('  ! name-taken Site/cluster\n')
  expect(last(out)).toBe('  berth site status')
})

test('[R6.10, R6.13] an open move waits to be committed', async () => {
  const move = "  move: {commitBy: '2030-01-01T00:00:00Z'}\n"
  const { out } = await explain(node + site(`{${vips}}`, move) + api + ingress, '-o', 'json')
  expect(JSON.parse(out)).toMatchObject({
    schema: 'berth.dev/explain/v1',
    kind: 'Site',
    phases: expect.arrayContaining([
      {
        phase: 'committed',
        isDone: false,
        message: 'is taken back at 2030-01-01T00:00:00Z unless it is committed',
      },
    ]),
    next: 'berth site verify && berth site commit',
  })
})

test('there is only one, and none is said', async () => {
  expect(await explain(node)).toMatchObject({
    exit: 1,
    err: 'berth: there is no Site cluster, nor any other\n',
  })
  const named = await berth([
    ...['explain', 'site', 'clster'],
    ...['-f', folderOf({ 'a.yaml': node + site(`{${vips}}`) })],
  ])
  expect(named.err).toBe('berth: there is no Site clster; did you mean cluster?\n')
})
