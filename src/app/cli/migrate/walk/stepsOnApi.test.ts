// Proves what steps read and write, on a server that holds exactly what a test says.
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Served, served, servedObjects } from '../../../../../test/build/servedObjects.ts'
import { nowhere } from '../../../../../test/build/terminal.ts'
import { crossSigned, newAuthority } from '../../../../edge/host/authority.ts'
import { newCertificate } from '../../../../edge/host/certificate.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { controllersIn, speakersIn } from '../metallb.ts'
import { endStep } from './baseline.ts'
import { nodesFrom } from './nodeProgress.ts'
import { toBerth } from './nodeSteps.ts'
import { metallbOwn } from './removal.ts'
import { replicasBefore, scaledTo } from './replicas.ts'
import { drainedText, undoneText } from './stoppedText.ts'
import { trustedByBoth } from './trustedByBoth.ts'
import { unmarked } from './unmarked.ts'
import type { Walk } from './walk.ts'

const namespace = 'lb'
async function walkOn(objects: readonly Served[], fails?: RegExp) {
  const { api, writes } = await servedObjects(objects, fails)
  const walk: Walk = {
    ...{ api, direct: api, io: nowhere, namespace, withinMs: 0, settleMs: 0, asksWire: false },
    ...{ acceptsDownPeers: false, programs: { kubectl: 'kubectl', helm: 'helm' } },
  }
  return { walk, writes }
}

const byHelm = (release: string) => ({
  annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': 'net' },
})
const labels = { 'app.kubernetes.io/name': 'metallb' }
const at = (name: string, more: object = {}) => ({ name, namespace, ...more })

test('[R14.3] pools of a release that is not of MetalLB keep the marks by which Helm knows them', async () => {
  const definition = { name: 'ipaddresspools.metallb.io', ...byHelm('crds') }
  const { walk, writes } = await walkOn([
    served('CustomResourceDefinition', definition, { spec: { group: 'metallb.io' } }),
    served('Deployment', at('metallb-controller', { labels, ...byHelm('metallb') })),
    served('IPAddressPool', at('with-metallb', byHelm('metallb'))),
    served('IPAddressPool', at('with-crds', byHelm('crds'))),
    served('IPAddressPool', at('own', byHelm('network'))),
    served('BGPPeer', at('by-nobody')),
    served('Namespace', { name: namespace, ...byHelm('network') }),
  ])
  await unmarked(walk)
  expect(writes()).toEqual([
    'PUT with-metallb',
    'PUT with-crds',
    // Last: its mark says that the release is one of MetalLB's.
    'PUT ipaddresspools.metallb.io',
  ])
})

test('[R14.3] what has only a label of MetalLB may be a rule of the operator, and stays', async () => {
  const ofChart = { ...labels, 'helm.sh/chart': 'metallb-0.15.2' }
  const { walk } = await walkOn([
    served('NetworkPolicy', at('my-policy', { labels })),
    served('PrometheusRule', at('my-alerts', { labels })),
    served('Service', at('my-service', { labels: { app: 'metallb' } })),
    served('NetworkPolicy', at('metallb-speaker', { labels, ...byHelm('metallb') })),
    // As of `helm template`, which marks no release.
    served('PrometheusRule', at('metallb', { labels: ofChart })),
    served('Service', at('metallb-webhook-service')),
  ])
  const names = (await metallbOwn(walk)).map(({ kind, name }) => `${kind}/${name}`)
  expect(names.sort()).toEqual([
    'NetworkPolicy/metallb-speaker',
    'PrometheusRule/metallb',
    'Service/metallb-webhook-service',
  ])
})

const begun = gzipSync(JSON.stringify({ step: 'controller', addresses: {} })).toString('base64')
const notes = served('ConfigMap', at('berth-migration'), { data: { begun } })

test('[R14.1] what was noted before a step outlives a list that fails', async () => {
  const failing = await walkOn([notes], /\/services$/)
  await expect(endStep(failing.walk)).rejects.toThrow('500')
  expect(failing.writes()).toEqual([])
  const { walk, writes } = await walkOn([notes])
  await endStep(walk)
  expect(writes()).toEqual(['PUT berth-migration'])
})

const drained = {
  labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': 'berth-drain' },
  annotations: { 'berth.dev/migrating': 'undrain' },
}
test('[R14.1] whoever interrupts the walk is told which node it left drained', async () => {
  const { walk } = await walkOn([served('Node', { name: 'a', ...drained })])
  const io = { ...nowhere, signal: AbortSignal.abort() }
  expect(await drainedText({ ...walk, io })).toContain('berth undrain a')
})

test('[R14.1] a node on which Berth has no speaker is not drained', async () => {
  const node = served('Node', { name: 'a' })
  const { walk, writes } = await walkOn([node])
  const [progress] = nodesFrom([new Fields(node.json, [])], [])
  if (progress === undefined) throw new Error('no node')
  await expect(toBerth(walk, progress)).rejects.toThrow('Berth has no speaker on a')
  expect(writes()).toEqual([])
})

test("[R14.1] the way back starts as many of MetalLB's controller as there were, however often", () => {
  const metadata = { name: 'controller', namespace, labels: { app: 'metallb' } }
  const before = { metadata, spec: { replicas: 3 } }
  const stopped = scaledTo(before, 0)
  const of = (json: unknown) => replicasBefore({ object: new Fields(json, []) })
  expect(of(stopped)).toBe(3)
  const started = scaledTo(stopped ?? {}, 3)
  const noted = { 'berth.dev/replicas-before-migration': '3' }
  expect(started).toMatchObject({ metadata: { annotations: noted }, spec: { replicas: 3 } })
  expect(of(started)).toBe(3)
  // Applied anew, as after `finish`.
  expect(of(before)).toBe(3)
  expect(of({ metadata, spec: { replicas: 0 } })).toBe(1)
})

test('[R14.1] who wrote last is said of what the step writes, and of nothing else', async () => {
  const managedFields = [{ manager: 'argocd-controller', time: '2026-01-01T00:00:00Z' }]
  const written = { labels: { app: 'metallb', component: 'speaker' }, managedFields }
  const speaker = served('DaemonSet', at('speaker', written))
  const controller = served('Deployment', at('controller', { labels: { app: 'metallb' } }))
  const { walk } = await walkOn([speaker, controller])
  const progress = {
    speakers: speakersIn([speaker.json]),
    controllers: controllersIn([controller.json]),
  }
  expect(await undoneText(walk, progress, 'DaemonSet')).toContain(
    'somebody undid this step: DaemonSet lb/speaker was last written by argocd-controller',
  )
  expect(await undoneText(walk, progress, 'Deployment')).not.toContain('argocd-controller')
  expect(await undoneText(walk, progress, undefined)).toBe('this step did not stay done')
})

test("[R14.5] Berth's authority is signed by MetalLB's, once, and without its key nothing is", async () => {
  const span = { from: new Date(Date.now() - 1_000), until: new Date(Date.now() + 86_400_000) }
  const metallbs = await newAuthority(span)
  const made = await newCertificate({ names: ['berth'], ...span })
  const newest = await newCertificate({ names: ['berth'], ...span })
  const encoded = (data: object) =>
    Object.fromEntries(
      Object.entries(data).map(([name, pem]) => [
        name,
        Buffer.from(String(pem)).toString('base64'),
      ]),
    )
  const secrets = (key: string, chain: string) => [
    served('Secret', at('own-name'), {
      data: encoded({ 'ca.crt': metallbs.cert, 'ca.key': key }),
    }),
    served('Secret', at('berth-webhook-cert'), {
      data: encoded({ 'tls.crt': chain, 'tls.key': made.key, 'ca.crt': made.ca }),
    }),
  ]
  const args = ['--webhook-secret=own-name']
  const template = { spec: { containers: [{ name: 'controller', args }] } }
  const labels = { app: 'metallb', component: 'controller' }
  const controller = { metadata: at('controller', { labels }), spec: { template } }
  const writesOf = async (key: string, chain: string) => {
    const { walk, writes } = await walkOn(secrets(key, chain))
    await trustedByBoth(walk, controllersIn([controller]))
    return writes()
  }
  const saidOf = async (objects: readonly Served[]) => {
    const { walk } = await walkOn(objects)
    const said: string[] = []
    const io = { ...nowhere, err: (text: string) => void said.push(text) }
    await trustedByBoth({ ...walk, io, withinMs: 60_000 }, controllersIn([controller]))
    return said.join('')
  }
  expect(await writesOf(metallbs.key, made.cert)).toEqual(['PUT berth-webhook-cert'])
  expect(await writesOf('', made.cert)).toEqual([])
  expect(await writesOf('no key', made.cert)).toEqual([])
  const signed = made.cert + (await crossSigned(made.ca, metallbs, span))
  expect(await writesOf(metallbs.key, signed)).toEqual([])
  // A replica that does not tell is not waited for, and the reader knows what that means.
  const berths = { 'app.kubernetes.io/name': 'berth', 'app.kubernetes.io/component': 'controller' }
  const old = served('Pod', at('berth-1', { labels: berths }), { spec: { containers: [] } })
  const own = secrets(metallbs.key, made.cert)
  expect(await saidOf([...own, old])).toMatch(
    /berth-1 does not tell its certificate: .*404.*: for some seconds BGPPeers may be readable in one/,
  )
  expect(await saidOf(own.slice(0, 1))).toContain('Berth serves no certificate yet: for some sec')
  const foreign = [...own.slice(0, 1), ...secrets('', newest.cert).slice(1)]
  expect(await saidOf(foreign)).toContain('of no authority of its own: for some seconds')
})
