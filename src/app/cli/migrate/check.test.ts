import { expect, test } from 'vitest'
import { folderOf, nowhere, pool } from '../../../../test/build/terminal.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { load, newSession } from '../load.ts'
import { bgpFindings } from './checkBgp.ts'
import { definitionFindings } from './checkDefinitions.ts'
import { webhookFindings } from './checkWebhooks.ts'
import { controllerFindings, speakerFindings } from './checkWorkloads.ts'
import { controllersIn, speakersIn } from './metallb.ts'

const named = (name: string, labels: object = {}, more: object = {}) => ({
  metadata: { name, namespace: 'lb', labels, ...more },
})
const byManifests = { app: 'metallb', component: 'controller' }
const byChart = { 'app.kubernetes.io/name': 'metallb' }

test.each([
  { is: 'labelled as the manifests do', object: named('controller', byManifests), found: 1 },
  { is: 'labelled as the chart does', object: named('x-controller', byChart), found: 1 },
  { is: 'named as the chart does', object: named('metallb-controller'), found: 1 },
  { is: 'ours', object: named('berth-controller', { app: 'berth' }), found: 0 },
  { is: 'stopped', object: { ...named('c', byManifests), spec: { replicas: 0 } }, found: 0 },
])('a Deployment that is $is', ({ object, found }) => {
  const findings = controllerFindings(controllersIn([object]))
  expect(findings).toHaveLength(found)
  for (const finding of findings) {
    expect(finding).toMatchObject({ code: 'metallb-controller-runs', severity: 'error' })
    expect(finding.fixes).toEqual(['berth migrate step --all'])
  }
})

test('an operator has to go first, and its object stays', () => {
  const ownerReferences = [{ kind: 'MetalLB', name: 'metallb' }]
  const object = named('controller', byManifests, { ownerReferences })
  const env = ['SPEAKER_IMAGE', 'CONTROLLER_IMAGE'].map((name) => ({ name, value: 'image' }))
  const template = { spec: { containers: [{ name: 'manager', env }] } }
  const operator = { ...named('metallb-operator-controller-manager', {}), spec: { template } }
  const stopped = { ...operator, spec: { template, replicas: 0 } }
  for (const without of [[object], [object, stopped]]) {
    const codes = controllerFindings(controllersIn(without)).map(({ code }) => code)
    expect(codes).toEqual(['metallb-controller-runs'])
  }
  const [finding] = controllerFindings(controllersIn([object, operator]))
  expect(finding).toMatchObject({ code: 'operator-keeps-metallb', object: 'MetalLB/lb/metallb' })
  expect(finding?.fixes.join()).not.toContain('delete metallb')
})

const speaker = (env: Readonly<Record<string, string>>, more: object = {}) => ({
  ...named('speaker', { app: 'metallb', component: 'speaker' }, { generation: 2 }),
  spec: {
    template: {
      spec: {
        containers: [{ env: Object.entries(env).map(([name, value]) => ({ name, value })) }],
      },
    },
  },
  ...more,
})
const withMemberlist = { METALLB_ML_LABELS: 'app=metallb' }
const seen = (observedGeneration: number) => ({
  status: { observedGeneration, desiredNumberScheduled: 0 },
})
test.each([
  { is: 'without memberlist', object: speaker({}), codes: ['metallb-speaker-runs'] },
  {
    is: 'with memberlist',
    object: speaker(withMemberlist),
    codes: ['metallb-speaker-runs', 'memberlist-on'],
  },
  { is: 'on no node', object: speaker({}, seen(2)), codes: [] },
  { is: 'not looked at yet', object: speaker({}, seen(1)), codes: ['metallb-speaker-runs'] },
])('a speaker that is $is', ({ object, codes }) => {
  const findings = speakerFindings(speakersIn([object]), { layer2: true })
  expect(findings.map(({ code }) => code)).toEqual(codes)
  expect(findings.every(({ severity }) => severity === 'warning')).toBe(true)
})

test('memberlist matters only where addresses are announced on layer 2', () => {
  const findings = speakerFindings(speakersIn([speaker(withMemberlist)]), { layer2: false })
  expect(findings.map(({ code }) => code)).toEqual(['metallb-speaker-runs'])
})

const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {rack: r1}}\n---\n'
const elsewhere = `---
apiVersion: v1
kind: Node
metadata: {name: b}
---
apiVersion: berth.dev/v1alpha1
kind: NodeInterfaces
metadata: {name: b}
spec: {interfaces: [{name: eth0, mac: "02:00:00:00:00:02", carrier: true, addresses: [10.1.0.1/24]}]}
`
const report = `---
apiVersion: berth.dev/v1alpha1
kind: NodeInterfaces
metadata: {name: a}
spec: {interfaces: [{name: eth0, mac: "02:00:00:00:00:01", carrier: true, addresses: [10.0.0.1/24]}]}
`
const peer = (spec: string) => `---
apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: tor, namespace: metallb-system}
spec: {myASN: 64512, ${spec}}
`
const advertisement = (spec = '') => `---
apiVersion: metallb.io/v1beta1
kind: BGPAdvertisement
metadata: {name: all, namespace: metallb-system}
spec: {${spec}}
`
const outside = 'peerASN: 64513, peerAddress: 10.9.0.254'
const near = 'peerASN: 64513, peerAddress: 10.0.0.254'
const inside = 'peerASN: 64512, peerAddress: 10.0.0.254'
test.each([
  { what: 'no peer', yaml: advertisement(), mode: 'frr-k8s', codes: [] },
  { what: 'a peer without an advertisement', yaml: peer(near), mode: 'frr', codes: [] },
  {
    what: 'an advertisement of no pool',
    yaml: peer(near) + advertisement('ipAddressPools: [other]'),
    mode: 'frr',
    codes: [],
  },
  {
    what: 'a peer on no node',
    yaml: peer(`${near}, nodeSelectors: [{matchLabels: {rack: r9}}]`) + advertisement(),
    mode: 'frr',
    codes: [],
  },
  {
    what: 'a peer of native MetalLB',
    yaml: peer(near) + advertisement(),
    mode: 'native',
    codes: ['bgp-in-use'],
  },
  {
    what: 'an internal peer of native MetalLB',
    yaml: peer(inside) + advertisement(),
    mode: 'native',
    codes: ['bgp-in-use', 'native-local-pref'],
  },
  {
    what: 'one that gets a localPref',
    yaml: peer(inside) + advertisement('localPref: 50'),
    mode: 'native',
    codes: ['bgp-in-use'],
  },
  {
    what: 'an internal peer through FRR',
    yaml: peer(inside) + advertisement(),
    mode: 'frr',
    codes: ['bgp-in-use'],
  },
  {
    what: 'a peer behind a router without ebgpMultiHop',
    yaml: peer(outside) + advertisement(),
    mode: 'native',
    codes: ['bgp-in-use', 'multihop-not-set'],
  },
  {
    what: 'a peer that one of two nodes reaches only through a router',
    yaml: peer(near) + advertisement() + elsewhere,
    mode: 'native',
    codes: ['bgp-in-use', 'multihop-not-set'],
  },
  {
    what: 'one that it is not meant for',
    yaml: peer(`${near}, nodeSelectors: [{matchLabels: {rack: r1}}]`) + advertisement() + elsewhere,
    mode: 'native',
    codes: ['bgp-in-use'],
  },
  {
    what: 'one with it',
    yaml: peer(`${outside}, ebgpMultiHop: true`) + advertisement(),
    mode: 'native',
    codes: ['bgp-in-use'],
  },
])('BGP is judged by its use: $what', async ({ yaml, mode, codes }) => {
  const session = await newSession(nowhere)
  const text = node + pool('lan', '10.0.0.0/24') + report + yaml
  expect(
    (await load(session, { files: [folderOf({ 'a.yaml': text })], kustomized: [] })).refused,
  ).toEqual([])
  const speakers = speakersIn([speaker({ METALLB_BGP_TYPE: mode })])
  const extras = { configMaps: [], frrConfigurations: [] }
  const findings = bgpFindings(session.cluster.world, speakers, extras)
  expect(findings.map(({ code }) => code)).toEqual(codes)
})

test.each([
  { mode: 'frr-k8s', codes: ['bgpextras-in-use', 'foreign-frr-configuration'] },
  { mode: 'native', codes: [] },
])('what others add to FRR counts in mode $mode', async ({ mode, codes }) => {
  const { cluster } = await newSession(nowhere)
  const speakers = speakersIn([speaker({ METALLB_BGP_TYPE: mode })])
  const elsewhere = { metadata: { name: 'bgpextras', namespace: 'other' } }
  const extras = {
    configMaps: [named('bgpextras'), elsewhere],
    frrConfigurations: [named('metallb-node-1'), named('tenant')],
  }
  const findings = bgpFindings(cluster.world, speakers, extras)
  expect(findings.map(({ code }) => code)).toEqual(codes)
})

const crd = (plural: string, more: { metadata?: object; spec?: object; status?: object } = {}) => ({
  metadata: { name: `${plural}.metallb.io`, ...more.metadata },
  spec: { group: 'metallb.io', ...more.spec },
  status: more.status,
})

const service = (name: string) => ({ service: { name, namespace: 'lb' } })
const converts = (name: string) => ({
  conversion: { strategy: 'Webhook', webhook: { clientConfig: service(name) } },
})
test.each([
  { stored: ['v1beta2'], by: 'berth-webhook-service', codes: [] },
  {
    stored: ['v1beta1', 'v1beta2'],
    by: 'berth-webhook-service',
    codes: ['peers-stored-as-v1beta1'],
  },
  { stored: ['v1beta2'], by: 'metallb-webhook-service', codes: ['conversion-by-metallb'] },
])('BGPPeers stored as $stored and converted by $by', ({ stored, by, codes }) => {
  const peers = crd('bgppeers', { spec: converts(by), status: { storedVersions: stored } })
  expect(definitionFindings([new Fields(peers, [])], 1).map(({ code }) => code)).toEqual(codes)
})

test.each([
  { count: 0, commands: 1 },
  { count: 2, commands: 2 },
])('$count peers to write anew take $commands commands', ({ count, commands }) => {
  const peers = crd('bgppeers', { status: { storedVersions: ['v1beta1'] } })
  expect(definitionFindings([new Fields(peers, [])], count)[0]?.fixes).toHaveLength(commands)
})

test.each([
  { of: 'metallb-webhook-service', group: 'metallb.io', found: 1 },
  { of: 'berth-webhook-service', group: 'metallb.io', found: 0 },
  { of: 'other', group: 'example.com', found: 0 },
])('a webhook of $of for $group', ({ of, group, found }) => {
  const webhook = { clientConfig: service(of), rules: [{ apiGroups: [group] }] }
  const findings = webhookFindings([{ ...named('hooks'), webhooks: [webhook] }])
  expect(findings).toHaveLength(found)
})
