// Do plan, explain, lint and status say the same of the same state, in the same words and counts?
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { berth, folderOf, nowhere, pool, service } from '../../../test/build/terminal.ts'
import { statusOf } from '../../core/policy/status/clusterStatus.ts'
import { speakerPart } from '../../core/policy/status/partsHealth.ts'
import { reportingNodes } from './foreseen.ts'
import { lintReport } from './lint/lintReport.ts'
import { load, newSession } from './load.ts'
import { statusText } from './status/statusText.ts'

const l2 = `---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: all, namespace: metallb-system}
`
const node = '---\napiVersion: v1\nkind: Node\nmetadata: {name: metal-1}\n'
const lan = pool('lan', '10.0.0.1-10.0.0.9')

/** What `berth status` shows of a cluster that holds this. */
async function statusOfFiles(folder: string): Promise<string> {
  const session = await newSession(nowhere)
  const loaded = await load(session, { files: [folder], kustomized: [] })
  session.cluster.settle()
  const { cluster } = session
  return statusText(
    {
      ...{ version: '1', leader: 'nobody', announcers: [], bgp: [], attention: [] },
      ...{ namespace: 'lb', nowMs: 0 },
      parts: [speakerPart(undefined, reportingNodes(loaded))],
      status: statusOf(cluster.world, cluster.speakers()),
      lint: lintReport(cluster, loaded),
    },
    false,
  )
}

async function told(yaml: string) {
  const folder = folderOf({ 'a.yaml': yaml })
  const [plan, explain, lint] = await Promise.all([
    berth(['plan', '-f', folder]),
    berth(['explain', 'service', 'default/web', '-f', folder]),
    berth(['lint', '-f', folder]),
  ])
  const status = await statusOfFiles(folder)
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
  return [plan.out, explain.out, lint.out, status].map(flat)
}

test('nobody announces a Service, and why: four commands, one sentence, one count', async () => {
  const pages = await told(lan + l2 + node + service('web') + service('other'))
  const [plan, explain, lint, status] = pages
  for (const page of pages) expect(page).toContain('noEndpoints: no endpoint is usable')
  const remedy = 'remedy: start a ready pod that the Service selects'
  for (const page of pages) expect(page).toContain(remedy)
  expect(plan).toContain('! 2 Services are not announced 10.0.0.1 (default/other), 10.0.0.2')
  expect(plan).toContain('announcements +0 ~0 -0, 2 not announced; 0 problems.')
  expect(explain).toContain('it is not announced: noEndpoints')
  expect(lint).toContain('0 errors, 2 warnings in 5 objects from 1 file 2 Services not announced')
  expect(status).toContain('Services 2 served, 0 waiting, 2 not announced')
  expect(status).toContain('Problems 0 errors, 2 warnings, 2 of them shown above;')
})

test('a pool that nothing covers is one finding, however many Services it has', async () => {
  const pages = await told(lan + node + service('web') + service('other'))
  const [plan, explain, lint, status] = pages
  const why = 'no L2Advertisement or BGPAdvertisement covers pool lan'
  for (const page of [plan, explain, status]) expect(page).toContain(why)
  expect(plan).toContain('2 not announced; 1 problem.')
  expect(lint).toContain('0 errors, 1 warning in 4 objects from 1 file 2 Services not announced')
  expect(status).toContain('2 not announced')
})

test('manifests without a Node do not say who announces, and no command guesses', async () => {
  const pages = await told(lan + l2 + service('web'))
  for (const page of pages) expect(page).toContain('unknown: there is no Node')
  for (const page of pages) expect(page).not.toContain('not announced')
  expect(pages[0]).toContain('announcements unknown; 0 problems.')
})

test('a full pool: four commands, one sentence, one remedy', async () => {
  const pages = await told(
    pool('lan', '10.0.0.1/32') + l2 + node + service('other') + service('web'),
  )
  for (const page of pages) expect(page).toContain('pool-full')
  for (const page of pages) expect(page).toContain('no address is left in lan')
  const remedy = 'remedy: add addresses to the pool, or delete a Service that holds one'
  for (const page of pages) expect(page).toContain(remedy)
})

test('a pool that a tenant may not use is called a pool', async () => {
  const tenant = `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: os1}
spec: {namespaces: {names: [default]}}
`
  const asking = service('web', 'metallb.io/address-pool: lan')
  const pages = await told(lan + l2 + node + tenant + asking)
  const why = 'tenant os1 uses only its own pools, and pool lan belongs to no tenant'
  for (const page of pages) expect(page).toContain(` ${why} remedy: request a pool of the tenant`)
})

test('a tenant without its pool: why its Service waits, and what takes the name', async () => {
  const tenant = `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: os1}
spec:
  namespaces: {names: [default]}
  networks: [{name: net, cidrs: [10.1.0.0/24], loadBalancer: [10.1.0.1-10.1.0.9]}]
`
  const pages = await told(
    lan + pool('os1-net', '10.2.0.1/32') + l2 + node + tenant + service('web'),
  )
  const why = 'no pool with autoAssign admits the Service: tenant os1 uses only its own pools'
  for (const page of pages) expect(page).toContain(why)
  const remedy = 'remedy: give tenant os1 a pool with autoAssign (berth explain tenant os1 lists'
  for (const page of pages) expect(page).toContain(remedy)
  const [plan = '', , lint, status] = pages
  const taken = 'IPAddressPool/metallb-system/os1-net: it was not made from Tenant/os1'
  for (const page of [plan, lint, status]) expect(page).toContain(taken)
})

test('a node that is excluded: four commands, one sentence, one remedy', async () => {
  const label = 'node.kubernetes.io/exclude-from-external-load-balancers'
  const excluded = node.replace('{name: metal-1}', `{name: metal-1, labels: {${label}: x}}`)
  const slice = `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web, namespace: default, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints: [{addresses: [10.9.0.1], nodeName: metal-1, conditions: {ready: true}}]
`
  const pages = await told(lan + l2 + excluded + service('web') + slice)
  const why = `layer2 nodeLabeledExcludeBalancers on metal-1: it is labelled ${label}`
  for (const page of pages) expect(page).toContain(why)
  const remedy = 'remedy: remove that label from a node that should announce'
  for (const page of pages) expect(page).toContain(remedy)
})

test('a lost pool: nobody is told to remove what is kept for it', async () => {
  const uid = (name: string) => `uid: ${name}, creationTimestamp: "2026-01-01T00:00:00Z"`
  const kept = `---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default, ${uid('u')}}
spec: {type: LoadBalancer, ports: [{port: 80}]}
status: {loadBalancer: {ingress: [{ip: 10.7.0.1}]}}
---
apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: 10.7.0.1, labels: {app.kubernetes.io/managed-by: berth}, ${uid('a')}}
spec: {address: 10.7.0.1, pool: gone, holders: [{kind: Service, namespace: default, name: web, uid: u, ports: [TCP/80]}]}
`
  const pages = await told(l2 + node + kept)
  const remedy =
    'remedy: apply pool gone again, or run berth release pool gone if it is gone for good'
  for (const page of pages) expect(page).toContain(remedy)
  for (const page of pages) expect(page).not.toContain('remove the status')
  expect(pages[0]).toContain('not announced')
})

test.each([
  { whose: 'an API without speakers', report: '', isForeseen: true },
  {
    ...{ whose: 'one whose speaker has reported', isForeseen: false },
    report: `---
apiVersion: berth.dev/v1alpha1
kind: NodeInterfaces
metadata: {name: metal-1}
spec: {interfaces: [{name: eth0, carrier: true}]}
`,
  },
])('who announces, from the export of $whose', async ({ report, isForeseen }) => {
  const stands = '{name: metal-1, uid: of-node, annotations: {berth.dev/interfaces: eth0}}'
  const held = node.replace('{name: metal-1}', stands)
  const web = service('web', 'berth.dev/endpoints: metal-1')
  const folder = folderOf({ 'there.yaml': lan + l2 + held + report, 'new.yaml': web })
  const [there, given] = [join(folder, 'there.yaml'), join(folder, 'new.yaml')]
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
  const pages = [
    await berth(['plan', '-f', given, '--against', there]),
    await berth(['explain', 'service', 'default/web', '-f', folder]),
    await berth(['explain', 'address', '10.0.0.1', '-f', folder]),
    await berth(['lint', '-f', folder]),
    { out: await statusOfFiles(folder) },
  ].map(({ out }) => flat(out))
  const [plan = '', explain = '', address = '', lint = '', status = ''] = pages
  const none = 'no speaker of Berth has reported (there are no NodeInterfaces)'
  for (const page of pages) expect(page.includes(none), page).toBe(isForeseen)
  const would = `${none}; this is what speakers on all nodes would announce`
  const after = isForeseen ? `${would} ` : ''
  expect(plan).toContain(`Announcements ${after}+ 10.0.0.1 (default/web) layer2 from metal-1`)
  expect(explain).toContain(`Who announces it ${after}+ metal-1 layer2 10.0.0.1`)
  expect(address).toContain(`Who announces it ${after}+ metal-1 layer2 10.0.0.1`)
  expect(lint).toContain('no findings')
  expect(status).toContain('Services 1 served, 0 waiting Pools')
})
