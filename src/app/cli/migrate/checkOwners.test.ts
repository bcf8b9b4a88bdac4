// Proves who is found to delete or undo what must stay: Helm releases and GitOps tools.
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { metallbDefinitions } from './checkDefinitions.ts'
import { gitopsFindings, suspendFindings } from './checkGitops.ts'
import { releaseFindings, unreadFindings } from './checkOwners.ts'
import { needsFrr } from './frrUse.ts'
import { releasesIn, unreadReleases, withoutKept } from './helmRelease.ts'

const named = (name: string, labels: object = {}, more: object = {}) => ({
  metadata: { name, namespace: 'lb', labels, ...more },
})
const byManifests = { app: 'metallb', component: 'controller' }
const byChart = { 'app.kubernetes.io/name': 'metallb' }

const crd = (plural: string, more: { metadata?: object; spec?: object; status?: object } = {}) => ({
  metadata: { name: `${plural}.metallb.io`, ...more.metadata },
  spec: { group: 'metallb.io', ...more.spec },
  status: more.status,
})

const manifest = `---
# Source: metallb/charts/crds/templates/crds.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ipaddresspools.metallb.io}
spec: {group: metallb.io}
---
apiVersion: v1
kind: Namespace
metadata: {name: lb}
---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: metallb-controller}
`
const secret = (version: number, text: string) => ({
  type: 'helm.sh/release.v1',
  metadata: {
    name: `sh.helm.release.v1.lb.v${version}`,
    namespace: 'net',
    labels: { owner: 'helm', name: 'lb', version: String(version) },
  },
  data: {
    release: Buffer.from(
      gzipSync(JSON.stringify({ name: 'lb', manifest: text })).toString('base64'),
    ).toString('base64'),
  },
})

test('the newest record of a release says what uninstalling it deletes', () => {
  const releases = releasesIn([secret(9, ''), secret(10, manifest), secret(2, '')], false)
  expect(releaseFindings(releases)).toMatchObject([
    { code: 'crds-owned-by-helm', severity: 'error', object: 'Release/net/lb' },
  ])
  expect(releaseFindings(releases)[0]?.message).toContain('1 definition, 1 Namespace, 1 object')
  const [release] = releases
  if (release === undefined) throw new Error('no release')
  const after = { ...secret(10, ''), data: { release: withoutKept(release) } }
  expect(releasesIn([after], false)).toEqual([])
  expect(withoutKept({ ...release, record: { manifest: '' } })).not.toBe(after.data.release)
})

const withFrr = `${manifest}---
# Source: metallb/charts/frr-k8s/templates/controller.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: metallb-frr-k8s}
---
# Source: metallb/charts/frr-k8s/charts/crds/templates/frrk8s.metallb.io_frrconfigurations.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: frrconfigurations.frrk8s.metallb.io}
spec: {group: frrk8s.metallb.io}
`
const berthSpeaker = (args: readonly string[]) => ({
  metadata: { name: 'berth-speaker' },
  spec: { template: { spec: { containers: [{ name: 'speaker', args }] } } },
})

test.each([
  { who: 'MetalLB alone', configurations: ['metallb-a'], args: [], stays: false },
  { who: 'others', configurations: ['metallb-a', 'fabric'], args: [], stays: true },
  { who: 'Berth', configurations: [], args: ['--bgp-backend=frr-k8s'], stays: true },
  { who: 'Berth, in its own pods', configurations: [], args: ['--bgp-backend=frr'], stays: false },
])("[R14.3] frr-k8s that $who uses: does it outlive MetalLB's release? $stays", (given) => {
  const configurations = given.configurations.map((name) => ({ metadata: { name } }))
  const isNeeded = needsFrr(configurations, [berthSpeaker(given.args)])
  const [release] = releasesIn([secret(1, withFrr)], isNeeded)
  const ofFrr = ['DaemonSet/metallb-frr-k8s', 'CustomResourceDefinition/frrconfigurations.frrk8s']
  const kept = ofFrr.filter((name) => release?.kept.some((one) => one.startsWith(name)))
  expect(kept).toEqual(given.stays ? ofFrr : [])
  if (release === undefined) throw new Error('no release')
  const after = { ...secret(1, ''), data: { release: withoutKept(release) } }
  expect(releasesIn([after], isNeeded)).toEqual([])
})

test.each([
  { what: 'another release', secrets: [secret(1, 'kind: Namespace\nmetadata: {name: a}\n')] },
  { what: 'a record that cannot be read', secrets: [{ ...secret(1, ''), data: { release: 'x' } }] },
  { what: 'a Secret of another type', secrets: [{ ...secret(1, manifest), type: 'Opaque' }] },
])('$what is left alone', ({ secrets }) => {
  expect(releasesIn(secrets, false)).toEqual([])
})

test.each([
  { by: 'kustomize.toolkit.fluxcd.io/name', keep: {}, found: 1 },
  {
    by: 'kustomize.toolkit.fluxcd.io/name',
    keep: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' },
    found: 0,
  },
  { by: 'argocd.argoproj.io/tracking-id', keep: {}, found: 1 },
  { by: 'helm.toolkit.fluxcd.io/name', keep: {}, found: 1 },
  { by: 'example.com/name', keep: {}, found: 0 },
])('a definition marked $by and $keep', ({ by, keep, found }) => {
  const annotations = { [by]: 'x', ...keep }
  const crds = [crd('ipaddresspools', { metadata: { annotations } })]
  expect(gitopsFindings(metallbDefinitions(crds))).toHaveLength(found)
})

test('a tool that marks nothing is known by the name under which it writes', () => {
  const written = (manager: string) =>
    crd('ipaddresspools', { metadata: { managedFields: [{ manager }] } })
  const found = ['argocd-controller', 'kustomize-controller', 'kubectl'].map(
    (manager) => gitopsFindings(metallbDefinitions([written(manager)])).length,
  )
  expect(found).toEqual([1, 1, 0])
})

test('pools that a tool would delete are kept with one command for each kind and namespace', () => {
  const annotations = { 'argocd.argoproj.io/tracking-id': 'lb:metallb.io/IPAddressPool:lb/x' }
  const pools = ['lan', 'wan'].map(
    (name) => new Fields({ kind: 'IPAddressPool', ...named(name, {}, { annotations }) }, []),
  )
  expect(gitopsFindings(pools)[0]?.fixes).toEqual([
    'kubectl -n lb annotate ipaddresspool lan wan ' +
      'argocd.argoproj.io/sync-options=Prune=false,Delete=false --overwrite',
  ])
})

test.each([
  {
    by: { 'argocd.argoproj.io/tracking-id': 'edge:apps/Deployment:lb/controller' },
    fix: 'argocd app set edge --sync-policy none',
  },
  {
    by: {
      'kustomize.toolkit.fluxcd.io/name': 'infra',
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    },
    fix: 'flux suspend kustomization infra -n flux-system',
  },
  { by: { 'helm.toolkit.fluxcd.io/name': 'lb' }, fix: 'flux suspend helmrelease lb' },
])('a tool that keeps MetalLB as it is has to be suspended: $fix', ({ by, fix }) => {
  const object = new Fields(named('controller', { ...byManifests, ...by }), [])
  expect(suspendFindings([object])).toMatchObject([
    { code: 'gitops-keeps-metallb', severity: 'error', fixes: [fix] },
  ])
  expect(suspendFindings([new Fields(named('controller', byManifests), [])])).toEqual([])
})

test('a release without a record that can be read is never uninstalled', () => {
  const annotations = { 'meta.helm.sh/release-name': 'lb', 'meta.helm.sh/release-namespace': 'net' }
  const object = new Fields(named('controller', byChart, { annotations }), [])
  expect(unreadReleases([object], [])).toEqual(['net/lb'])
  expect(unreadReleases([object], [secret(1, '')])).toEqual([])
  const unknown = { ...secret(1, ''), data: { release: 'x' } }
  expect(unreadReleases([object], [unknown])).toEqual(['net/lb'])
  // Helm reads the newest, whatever older ones say.
  const newest = { ...secret(2, ''), data: { release: 'x' } }
  expect(unreadReleases([object], [secret(1, ''), newest])).toEqual(['net/lb'])
  expect(unreadReleases([object], [unknown, secret(2, '')])).toEqual([])
  expect(unreadFindings(['net/lb'])).toMatchObject([{ object: 'Release/net/lb' }])
})
