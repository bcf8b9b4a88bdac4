// Does a real API server ask us, trust us and heed us? And does it go on when we are not there?
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWebhooks, type Webhooks } from '../../src/app/controller/webhooks.ts'
import { type Kind, keyOf } from '../../src/core/model/view.ts'
import { World } from '../../src/core/model/world.ts'
import { check, checkDelete } from '../../src/core/policy/check/check.ts'
import { foresee } from '../../src/core/policy/check/foresee.ts'
import { certificatesIn } from '../../src/edge/host/certificateCheck.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { admission } from '../../src/edge/kube/admission.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { watch } from '../../src/edge/kube/api/watch.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { apiAs, contract, core, fieldsOf, kube, merge, refusal, verbs } from './cluster.ts'
import { definitions, installCrds, shippedCrds } from './crds.ts'
import { kubeconfigFor } from './harness.ts'
import { until } from './waits.ts'
import {
  applied,
  bystander,
  grantRights,
  type Hook,
  namespace,
  presented,
  shippedConfiguration,
} from './webhookStand.ts'

const service = `berth-webhook-service.${namespace}.svc`
const names = [service, '127.0.0.1']
const warnings: string[] = []
const admin = apiAs('admin', { onWarning: (text) => warnings.push(text) })
const [namespaces, secrets] = [
  verbs(admin, core('namespaces')),
  verbs(admin, core('secrets', namespace)),
]
const registrations = (plural: string): Resource => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural,
})
const configurations = verbs(admin, registrations('validatingwebhookconfigurations'))
const metallb = (version: string, plural: string): Resource => ({
  group: 'metallb.io',
  version,
  plural,
  namespace,
})
const pools = verbs(admin, metallb('v1beta1', 'ipaddresspools'))
const profiles = verbs(admin, metallb('v1beta1', 'bfdprofiles'))
const [oldPeers, peers] = [
  verbs(admin, metallb('v1beta1', 'bgppeers')),
  verbs(admin, metallb('v1beta2', 'bgppeers')),
]

const object = (apiVersion: string, kind: string, name: string, spec: object): object => ({
  apiVersion: `metallb.io/${apiVersion}`,
  kind,
  metadata: { name, namespace },
  spec,
})
const pool = (name: string, ...addresses: readonly string[]): object =>
  object('v1beta1', 'IPAddressPool', name, { addresses })
const session = { myASN: 64512, peerASN: 64513, peerAddress: '10.0.0.1' }

const over = new AbortController()
const world = new World({ ownNamespace: namespace, loadBalancerClass: '' })
let isFilled = true
let revokeRights = async (): Promise<void> => undefined

/** Into the World, as the controller does it, of the kinds that these tests write. */
async function follow(kind: Kind, resource: Resource): Promise<void> {
  const options = { signal: over.signal, clock: systemClock, random: Math.random }
  for await (const step of watch(admin, resource, options)) {
    const decoded = 'json' in step ? decode(step.json) : undefined
    if (decoded?.kind !== 'view') continue
    const { view } = decoded
    if (step.type === 'delete') world.apply({ type: 'delete', kind, key: keyOf(view) })
    else world.apply({ type: 'upsert', view })
  }
}

const dayMs = 24 * 3_600_000
/** At first the certificate is made as if long ago: still good, and soon due. */
let agoMs = 340 * dayMs
const roundMs = 500
const logged: unknown[] = []
const replicas: Webhooks[] = []

async function startReplica(): Promise<Webhooks> {
  const crds = (await shippedCrds()).map(({ crd }) => crd)
  return startWebhooks({
    api: apiAs('berth'),
    gate: admission({ crds, check, checkDelete, foresee, bgpMode: 'frr' }),
    world: () => (isFilled ? world : undefined),
    lastKnown: () => (isFilled ? world : undefined),
    namespace,
    port: 0,
    host: '127.0.0.1',
    names,
    clock: {
      nowMs: systemClock.nowMs,
      sleep: (ms, signal) => systemClock.sleep(Math.min(ms, roundMs), signal),
    },
    random: Math.random,
    now: () => new Date(Date.now() - agoMs),
    log: (entry) => logged.push(entry),
  })
}

const conversionService = {
  name: 'berth-webhook-service',
  namespace: 'metallb-system',
  path: '/convert',
  port: 443,
}
async function callForConversion(clientConfig: object): Promise<void> {
  const body = { spec: { conversion: { webhook: { clientConfig } } } }
  await verbs(admin, definitions).patch('bgppeers.metallb.io', { type: merge, body })
}

const bundleOf = (config: Hook['clientConfig'] | undefined): string =>
  Buffer.from(config?.caBundle ?? '', 'base64').toString()
const bundles = async (): Promise<Map<string, string>> => {
  const { webhooks } = (await configurations.get('berth-webhook-configuration')) as unknown as {
    webhooks: readonly Hook[]
  }
  return new Map(webhooks.map(({ name, clientConfig }) => [name, bundleOf(clientConfig)]))
}
const secretText = async (name: string): Promise<string> => {
  const { data } = await secrets.get('berth-webhook-cert')
  return Buffer.from(data?.[name] ?? '', 'base64').toString()
}

const isKnown = (kind: Kind, name: string) =>
  until(`${kind} ${name} is in the World`, () => (world.all(kind).has(name) ? true : undefined))

const overlapping = pool('copy', '10.1.0.128/25')
const dryRun = { dryRun: 'All' }

contract('webhooks', () => {
  beforeAll(async () => {
    writeFileSync(`${kube.folder}/webhooks.kubeconfig`, kubeconfigFor(kube, 'admin'))
    await installCrds(admin)
    await namespaces.create({ metadata: { name: namespace } })
    revokeRights = await grantRights(admin)
    void follow('IPAddressPool', metallb('v1beta1', 'ipaddresspools'))
    void follow('BFDProfile', metallb('v1beta1', 'bfdprofiles'))
    void follow('BGPPeer', metallb('v1beta2', 'bgppeers'))
    replicas.push(...(await Promise.all([startReplica(), startReplica()])))
    const url = `https://127.0.0.1:${replicas[0]?.port}`
    const configuration = await shippedConfiguration(url)
    const others = [bystander('a.example.io', 'berth-webhook-service')]
    others.push(bystander('b.example.io', 'metallb-webhook-service'))
    const webhooks = [...configuration.webhooks, ...others]
    await configurations.create({ ...configuration, webhooks })
    await callForConversion({ service: null, url: `${url}/convert` })
  })

  afterAll(async () => {
    over.abort()
    await Promise.all(replicas.map((replica) => replica.close()))
    await configurations.remove('berth-webhook-configuration')
    await revokeRights()
    await namespaces.remove(namespace)
    await callForConversion({ service: conversionService, url: null, caBundle: null })
  })

  test('[M4.3] two replicas that start at once serve one certificate, which openssl trusts', async () => {
    const cert = await until('a certificate', () => secretText('tls.crt').catch(() => undefined))
    const served = () => Promise.all(replicas.map(({ port }) => presented(port)))
    await until('both serve it', async () => {
      const found = await served().catch(() => [])
      return (found.length === 2 && found.every((one) => one.trim() === cert.trim())) || undefined
    })
    writeFileSync(`${kube.folder}/webhooks.ca`, await secretText('ca.crt'))
    const target = ['-connect', `127.0.0.1:${replicas[1]?.port}`]
    const trust = ['-CAfile', `${kube.folder}/webhooks.ca`, '-verify_return_error']
    const args = ['s_client', ...target, ...trust, '-verify_hostname', service, '-brief']
    const run = await new Promise<string>((resolve) => {
      execFile('openssl', args, (_, out, err) => resolve(out + err)).stdin?.end()
    })
    expect(run).toContain('Verification: OK')
  })

  test('[M4.3] the authority is published where a webhook calls us, and nowhere else', async () => {
    const ca = await secretText('ca.crt')
    const known = await until('published', async () => {
      const found = await bundles()
      return found.get('a.example.io') === ca ? found : undefined
    })
    expect(known.get('b.example.io')).toBe('')
    expect([...known.values()].filter((bundle) => bundle === ca)).toHaveLength(known.size - 1)
    await until('the CRD has it', async () => {
      const { spec } = await verbs(admin, definitions).get('bgppeers.metallb.io')
      const { webhook } = (spec?.['conversion'] ?? {}) as { webhook?: Hook }
      return bundleOf(webhook?.clientConfig) === ca || undefined
    })
    expect(logged).toEqual([])
  })

  test('[M8.1] kubectl: a good pool passes, one that overlaps is refused in our words', async () => {
    expect(await applied(pool('lan', '10.1.0.0/24'))).toMatchObject({ code: 0 })
    await isKnown('IPAddressPool', 'lan')
    const refused = await until('the API server asks', async () => {
      const run = await applied(overlapping, '--dry-run=server')
      return run.code === 0 ? undefined : run
    })
    expect(refused.err).toContain(
      'admission webhook "ipaddresspoolvalidationwebhook.metallb.io" denied the request: ' +
        `spec.addresses[0]: Forbidden: 10.1.0.128/25 of IPAddressPool/${namespace}/copy overlaps ` +
        `10.1.0.0/24 of IPAddressPool/${namespace}/lan; take 10.1.0.128/25 out of one of the two`,
    )
    const answer = await refusal(pools.create(overlapping))
    expect(answer).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(fieldsOf(answer)).toEqual(['spec.addresses[0]'])
    expect(await applied(pool('dmz', '10.2.0.0/24'))).toMatchObject({ code: 0 })
  })

  test('[R10.1] who would lose an address is said to whoever takes it away', async () => {
    const spec = { type: 'LoadBalancer', clusterIPs: ['10.96.0.1'], ports: [{ port: 80 }] }
    const status = { loadBalancer: { ingress: [{ ip: '10.1.0.200' }] } }
    const metadata = { name: 'web', namespace: 'shop', uid: 'web' }
    const web = decode({ apiVersion: 'v1', kind: 'Service', metadata, spec, status })
    if (web.kind === 'view') world.apply({ type: 'upsert', view: web.view })
    const foreseen = '1 Service would lose or change its address: shop/web (10.1.0.200)'
    const outside = `${foreseen}: address-not-in-pool: no pool contains 10.1.0.200`
    const shrunk = await applied(pool('lan', '10.1.0.0/25'), '--dry-run=server')
    expect(shrunk).toMatchObject({ code: 0, err: `Warning: ${outside}\n` })
    const greedy = {
      ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name: 'greedy' } },
      spec: { namespaces: { selector: {} } },
    }
    const taken = await applied(greedy, '--dry-run=server')
    const foreign = 'tenant greedy uses only its own pools, and pool lan belongs to no tenant'
    const fenced = `${foreseen}: pool-not-allowed: ${foreign}`
    expect(taken).toMatchObject({ code: 0, err: expect.stringContaining(`Warning: ${fenced}`) })
    warnings.length = 0
    await pools.remove('lan', { dryRun: ['All'] })
    expect(warnings).toEqual([outside])
    world.apply({ type: 'delete', kind: 'Service', key: 'shop/web' })
  })

  test('[M8.1] a profile is kept while a peer uses it; a warning reaches the user', async () => {
    await profiles.create(object('v1beta1', 'BFDProfile', 'fast', {}))
    const spec = { ...session, peerAddress: '10.0.0.9', bfdProfile: 'fast', disableMP: true }
    warnings.length = 0
    await peers.create(object('v1beta2', 'BGPPeer', 'watched', spec))
    expect(warnings).toEqual(['spec.disableMP is deprecated and has no effect'])
    await isKnown('BGPPeer', 'watched')
    expect(await refusal(profiles.remove('fast'))).toMatchObject({ code: 403 })
    await peers.remove('watched')
    await until('no peer uses it', () => (world.all('BGPPeer').has('watched') ? undefined : true))
    await profiles.remove('fast')
  })

  test('[M1.5] a v1beta1 peer is stored as v1beta2 and read as both; no timer appears', async () => {
    const written = object('v1beta1', 'BGPPeer', 'old', { ...session, holdTime: '90s' })
    const run = await applied(written)
    expect(run).toMatchObject({ code: 0, err: expect.stringContaining('v1beta1 is deprecated') })
    const [asOld, asNew] = [await oldPeers.get('old'), await peers.get('old')]
    expect(asNew.spec).toEqual({
      ...session,
      holdTime: '90s',
      peerPort: 179,
      disableMP: false,
      dualStackAddressFamily: false,
    })
    expect(asOld.spec).toEqual({ ...session, holdTime: '90s', peerPort: 179 })
    expect(asOld.metadata.uid).toBe(asNew.metadata.uid)
  })

  test('[M12.2] what only v1beta2 can say survives a change through v1beta1', async () => {
    const spec = {
      myASN: 64512,
      dynamicASN: 'external',
      interface: 'eth1',
      vrf: 'red',
      connectTime: '10s',
      passwordSecret: { name: 'tor' },
      nodeSelectors: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }],
      dualStackAddressFamily: true,
    }
    const before = await peers.create(object('v1beta2', 'BGPPeer', 'new', spec))
    const read = await oldPeers.get('new')
    await oldPeers.replace('new', { ...read, spec: { ...read.spec, holdTime: '30s' } })
    const after = await peers.get('new')
    expect(after.spec).toEqual({ ...before.spec, holdTime: '30s' })
    expect(after.metadata.annotations).toBeUndefined()
    const broken = { type: merge, body: { spec: { peerAddress: '10.0.0.300' } } }
    const refused = await refusal(oldPeers.patch('new', broken))
    expect(fieldsOf(refused)).toEqual(['spec.peerAddress'])
  })

  test('[P6] until the World is filled an object passes, with a warning', async () => {
    warnings.length = 0
    isFilled = false
    await pools.create(overlapping, dryRun)
    isFilled = true
    expect(warnings).toEqual([expect.stringContaining('did not check this object')])
    await refusal(pools.create(overlapping, dryRun))
  })

  test('our own service account is not sent to us', async () => {
    const account = `system:serviceaccount:${namespace}:berth-controller`
    const as = (user: string) => [`--as=${user}`, '--as-group=system:masters', '--dry-run=server']
    expect(await applied(overlapping, ...as(account))).toMatchObject({ code: 0 })
    expect(await applied(overlapping, ...as(`${account}2`))).toMatchObject({ code: 1 })
  })

  test('[M4.3] a certificate that ends soon is replaced, and not one question is missed', async () => {
    const before = await secretText('tls.crt')
    const old = await secretText('ca.crt')
    agoMs = 0
    const after = await until('both serve another', async () => {
      await refusal(pools.create(overlapping, dryRun))
      const [one, two] = await Promise.all(replicas.map(({ port }) => presented(port)))
      return one === two && one?.trim() !== before.trim() ? one : undefined
    })
    for (let call = 0; call < 10; call++) await refusal(pools.create(overlapping, dryRun))
    expect(await secretText('tls.crt')).toContain(after?.trim())
    const bundle = await secretText('ca.crt')
    expect(certificatesIn(bundle)).toHaveLength(2)
    expect(bundle).toContain(old)
    expect((await bundles()).get('a.example.io')).toBe(bundle)
    expect((await oldPeers.get('new')).metadata.name).toBe('new')
  })

  test('what somebody breaks in the Secret or the configuration is mended', async () => {
    await secrets.patch('berth-webhook-cert', {
      type: merge,
      body: { data: { 'tls.key': 'eA==' } },
    })
    await until('a new certificate', async () => {
      const isMended = (await secretText('tls.key')).startsWith('-----BEGIN PRIVATE KEY')
      return isMended && (await bundles()).get('a.example.io') === (await secretText('ca.crt'))
        ? true
        : undefined
    })
  })

  test('[peers 3.5] with no replica left everything can be applied', async () => {
    await Promise.all(replicas.map((replica) => replica.close()))
    expect(await applied(overlapping)).toMatchObject({ code: 0 })
    expect(await applied(pool('third', '10.3.0.0/24'))).toMatchObject({ code: 0 })
    expect(logged).toEqual([])
  })
})
