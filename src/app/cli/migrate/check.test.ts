import { expect, test } from 'vitest'
import { definitionFindings } from './checkDefinitions.ts'
import { webhookFindings } from './checkWebhooks.ts'
import { daemonSetFindings, deploymentFindings } from './checkWorkloads.ts'

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
  const findings = deploymentFindings([object])
  expect(findings).toHaveLength(found)
  for (const finding of findings) {
    expect(finding).toMatchObject({ code: 'metallb-controller-runs', severity: 'error' })
    expect(finding.fixes[0]).toMatch(/^kubectl -n lb scale deployment \S+ --replicas=0$/)
  }
})

test('what an operator keeps is stopped at the operator', () => {
  const ownerReferences = [{ kind: 'MetalLB', name: 'metallb' }]
  const [finding] = deploymentFindings([named('controller', byManifests, { ownerReferences })])
  expect(finding?.fixes).toEqual(['kubectl -n lb delete metallb metallb'])
})

const containers = (mode: string) => ({
  template: { spec: { containers: [{ env: [{ name: 'METALLB_BGP_TYPE', value: mode }] }] } },
})
test.each([
  { is: 'native', object: { spec: containers('native') }, codes: ['metallb-speaker-runs'] },
  {
    is: 'FRR',
    object: { spec: containers('frr-k8s') },
    codes: ['metallb-speaker-runs', 'metallb-bgp-mode'],
  },
  {
    is: 'on no node',
    object: { status: { observedGeneration: 2, desiredNumberScheduled: 0 } },
    codes: [],
  },
  {
    is: 'not looked at yet',
    object: { status: { observedGeneration: 1, desiredNumberScheduled: 0 } },
    codes: ['metallb-speaker-runs'],
  },
])('a speaker that is $is', ({ object, codes }) => {
  const { metadata } = named('speaker', byManifests, { generation: 2 })
  const findings = daemonSetFindings([{ metadata, ...object }])
  expect(findings.map(({ code }) => code)).toEqual(codes)
  expect(findings.every(({ severity }) => severity === 'warning')).toBe(true)
})

const crd = (plural: string, more: { metadata?: object; spec?: object; status?: object } = {}) => ({
  metadata: { name: `${plural}.metallb.io`, ...more.metadata },
  spec: { group: 'metallb.io', ...more.spec },
  status: more.status,
})
const release = {
  annotations: { 'meta.helm.sh/release-name': 'lb', 'meta.helm.sh/release-namespace': 'net' },
}

test('definitions of one Helm release are one finding, which names them all', () => {
  const crds = [
    crd('ipaddresspools', { metadata: release }),
    crd('bfdprofiles', { metadata: release }),
  ]
  const other = { ...crd('x', { metadata: release }), spec: { group: 'example.com' } }
  const findings = definitionFindings([...crds, other], 0)
  expect(findings).toMatchObject([{ code: 'crds-owned-by-helm', object: 'Release/net/lb' }])
  expect(findings[0]?.fixes).toEqual([
    'kubectl annotate crd bfdprofiles.metallb.io ipaddresspools.metallb.io ' +
      'helm.sh/resource-policy=keep --overwrite',
    'helm -n net upgrade lb metallb/metallb --reuse-values --set crds.enabled=false',
    'kubectl annotate crd bfdprofiles.metallb.io ipaddresspools.metallb.io ' +
      'meta.helm.sh/release-name- meta.helm.sh/release-namespace-',
    'kubectl label crd bfdprofiles.metallb.io ipaddresspools.metallb.io app.kubernetes.io/managed-by-',
  ])
})

test('a definition that Helm only labelled counts as well', () => {
  const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
  const findings = definitionFindings([crd('ipaddresspools', { metadata: { labels } })], 0)
  expect(findings).toMatchObject([{ object: 'Release/metallb-system/metallb' }])
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
  expect(definitionFindings([peers], 1).map(({ code }) => code)).toEqual(codes)
})

test.each([
  { count: 0, commands: 1 },
  { count: 2, commands: 2 },
])('$count peers to write anew take $commands commands', ({ count, commands }) => {
  const peers = crd('bgppeers', { status: { storedVersions: ['v1beta1'] } })
  expect(definitionFindings([peers], count)[0]?.fixes).toHaveLength(commands)
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
