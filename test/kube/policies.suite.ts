// What does the API server itself refuse, while no controller runs? The shipped policies on real
// Kubernetes: a tenant in use, and all that the controller's account may not change.
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { publishBundle } from '../../src/app/controller/webhookBundle.ts'
import { agreedCertificate } from '../../src/app/controller/webhookSecret.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { resourceOf, typeOf } from '../../src/edge/kube/kinds.ts'
import { jsonPatch, merge, refusal, strategic, verbs } from './cluster.ts'
import { definitions, installCrdsOfOthers } from './crds.ts'
import { connectionFor, findEngine, type Kube, startKube } from './harness.ts'
import { adminKubeconfig, definitionsEstablished, programAt, type Run } from './helm/programs.ts'
import { isSince } from './kubeVersion.ts'
import { until } from './waits.ts'

const engine = findEngine()
/** Since 1.30 policies are served. */
const isHere = inject('kube') !== undefined && 'folder' in engine && isSince(30)
const netConfigs = 'network.openstack.org_netconfigs'
const configuration = 'berth-webhook-configuration'
const dryRun = { dryRun: 'All' }
const inUse = { status: { addresses: { used: 2 } } }
let kube: Kube
let kubectl: Run
let admin: Api
let controller: Api

const tenants = () => verbs(admin, resourceOf('Tenant'))
const configurations = (api: Api) => verbs(api, resourceOf('ValidatingWebhookConfiguration'))

beforeAll(async () => {
  if ('why' in engine || !isHere) return
  kube = await startKube(engine.folder, { controllers: ['serviceaccount-controller'] })
  kubectl = programAt(inject('kubectl'), kube.folder, adminKubeconfig(kube))
  kubectl('apply', '-k', 'deploy/kustomize')
  await definitionsEstablished(kubectl)
  admin = newApi(connectionFor(kube, 'admin'))
  await installCrdsOfOthers(admin)
  kubectl('apply', '-f', `deploy/openstack/crds/${netConfigs}.yaml`)
  const text = kubectl('create', 'token', 'berth-controller', '-n', 'metallb-system').trim()
  const credentials = writtenCredentials({ token: { text } })
  controller = newApi({ ...connectionFor(kube, 'nobody'), credentials })
  const spec = { internalNetwork: '10.0.0.0/24' }
  const site = {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Site',
    metadata: { name: 'cluster' },
    spec,
  }
  await verbs(admin, resourceOf('Site')).create(site)
  await policiesAreInForce()
})
afterAll(async () => {
  admin?.close()
  controller?.close()
  await kube?.stop()
})

/** Until the API server has read its policies, anything goes. */
async function policiesAreInForce(): Promise<void> {
  await madeTenant('first', inUse)
  await until('a tenant in use is kept', () => isRefused(tryToDelete('first')))
  const body = { metadata: { labels: { try: 'this' } } }
  const patch = { type: merge, body, query: dryRun }
  await until('webhooks are kept', () =>
    isRefused(configurations(controller).patch(configuration, patch)),
  )
  await until('the definition is kept', () =>
    isRefused(verbs(controller, definitions).patch('bgppeers.metallb.io', patch)),
  )
}

const isRefused = (answer: Promise<unknown>): Promise<true | undefined> =>
  answer.then(
    () => undefined,
    () => true,
  )

async function madeTenant(name: string, status: object, annotations: object = {}): Promise<void> {
  await tenants().create({
    ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name, annotations } },
    spec: { namespaces: { names: [name] } },
  })
  await tenants().patch(name, { type: merge, body: status, subresource: 'status' })
}
const tryToDelete = (name: string): Promise<unknown> => tenants().remove(name, { dryRun: ['All'] })

describe.skipIf(!isHere)('the shipped policies', () => {
  test('[R4.20] a tenant in use is not deleted while no controller runs', async () => {
    const refused = await refusal(tenants().remove('first'))
    expect(refused).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(refused.message).toMatch(/tenant-in-use: its status counts 2 addresses in use; .*allow/)
    expect(() => kubectl('delete', 'tenants', '--all')).toThrow('tenant-in-use')
  })

  test.each([
    { what: 'no status', status: {}, annotations: {}, isAllowed: true },
    { what: 'nothing in use', status: { status: { addresses: { used: 0 } } }, isAllowed: true },
    { what: 'leave', status: inUse, annotations: { 'berth.dev/allow-delete': 'true' } },
    {
      what: 'an annotation that says no',
      status: inUse,
      annotations: { 'berth.dev/allow-delete': 'false' },
      isAllowed: false,
    },
  ])(
    '[R4.20] one with $what goes: $isAllowed',
    async ({ status, annotations = {}, isAllowed = true }) => {
      await madeTenant('second', status, annotations)
      if (isAllowed) {
        await tenants().remove('second')
        return
      }
      await refusal(tenants().remove('second'))
      const leave = { metadata: { annotations: { 'berth.dev/allow-delete': 'true' } } }
      await tenants().patch('second', { type: merge, body: leave })
      await tenants().remove('second')
    },
  )

  const name = 'tenantvalidationwebhook.berth.dev'
  const elsewhere = { service: null, url: 'https://192.0.2.1/' }
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'gone' }
  const hook = (fields: object) => ({ type: strategic, body: { webhooks: [{ name, ...fields }] } })
  test.each([
    ['switches a check off', hook({ rules: [] })],
    ['has it answered elsewhere', hook({ clientConfig: elsewhere })],
    ['makes it match nobody', hook({ objectSelector: { matchLabels: { no: 'body' } } })],
    ['exempts somebody', hook({ matchConditions: [{ name: 'never', expression: 'false' }] })],
    ['blocks every write', hook({ failurePolicy: 'Fail', timeoutSeconds: 30 })],
    ['removes one', { type: jsonPatch, body: [{ op: 'remove', path: '/webhooks/0' }] }],
    ['removes all', { type: merge, body: { webhooks: null } }],
    ['has it collected', { type: merge, body: { metadata: { ownerReferences: [owner] } } }],
  ])("whoever has the controller's token %s: refused", async (_, patch) => {
    const changed = { ...patch, query: dryRun }
    const refused = await refusal(configurations(controller).patch(configuration, changed))
    expect(refused.message).toContain('changes the caBundle of its webhooks, and nothing else')
    await configurations(admin).patch(configuration, changed)
  })

  const conversion = '/spec/conversion/webhook/clientConfig'
  const schema = '/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/myASN'
  const replaced = (path: string, value: unknown) => [{ op: 'replace', path, value }]
  test.each([
    ['what a BGPPeer may contain', replaced(`${schema}/description`, 'anything')],
    ['which version is served', replaced('/spec/versions/0/served', false)],
    ['whether it is converted', replaced('/spec/conversion', { strategy: 'None' })],
    ['by which Service', replaced(`${conversion}/service/name`, 'another')],
    ['from where', replaced(conversion, { url: 'https://192.0.2.1/' })],
  ])('nor can it change the definition of BGPPeers: %s', async (_, body) => {
    const changed = { type: jsonPatch, body, query: dryRun }
    const patch = (api: Api) => verbs(api, definitions).patch('bgppeers.metallb.io', changed)
    const refused = await refusal(patch(controller))
    expect(refused.message).toContain('changes the caBundle of the conversion, and nothing else')
    await patch(admin)
  })

  const berthKind = { apiVersion: 'berth.dev/v1alpha1', controller: true, uid: 'x' }
  const ofTenant = { ...berthKind, kind: 'Tenant', name: 'first' }
  const ofSite = { ...berthKind, kind: 'Site', name: 'cluster' }
  const ofNode = { apiVersion: 'v1', kind: 'Node', name: 'worker-0', uid: 'x' }
  const [none, unowned] = [{ labels: null, ownerReferences: null }, { ownerReferences: null }]
  const attachment = { kind: 'NetworkAttachmentDefinition', spec: { config: '{}' } } as const
  const kept = [
    { what: 'both', of: attachment, owner: ofTenant, patch: none },
    {
      what: 'both',
      of: { kind: 'NetConfig', spec: { networks: [] } },
      owner: ofTenant,
      patch: none,
    },
    {
      what: 'both',
      of: { kind: 'IPAddressPool', spec: { addresses: ['192.0.2.0/28'] } },
      owner: ofTenant,
      patch: none,
    },
    {
      what: 'both',
      of: { kind: 'NodeNetworkConfigurationPolicy', spec: { desiredState: { interfaces: [] } } },
      owner: ofNode,
      patch: none,
    },
    {
      what: 'both',
      of: { kind: 'Service', spec: { ports: [{ port: 6443 }] } },
      owner: ofSite,
      patch: none,
    },
    {
      what: 'its owner, with another label',
      of: attachment,
      owner: ofTenant,
      patch: { ...unowned, labels: { 'berth.dev/tenant': 'x' } },
    },
    { what: 'its owner alone', of: attachment, owner: ofTenant, patch: unowned, isAllowed: true },
    {
      what: 'its label alone',
      of: attachment,
      owner: ofTenant,
      patch: { labels: { 'berth.dev/tenant': 'x', team: 'net' } },
      isAllowed: true,
    },
    {
      what: 'both, of a tenant that is gone',
      of: attachment,
      owner: { ...ofTenant, name: 'gone' },
      patch: none,
      isAllowed: true,
    },
  ] as const
  test.each(kept)('[R4.19] $of.kind loses $what', async ({ of, owner, patch, ...rest }) => {
    const { kind, spec } = of
    const isOfNode = kind === 'NodeNetworkConfigurationPolicy'
    const namespace = kind === 'IPAddressPool' ? 'metallb-system' : 'default'
    const resource = { ...resourceOf(kind), ...(isOfNode ? {} : { namespace }) }
    const objects = verbs(admin, resource)
    const name = isOfNode ? 'berth-worker-0' : 'kept'
    const made = `berth.dev/${owner.kind.toLowerCase()}`
    const labels = { 'app.kubernetes.io/managed-by': 'berth', [made]: owner.name }
    const apiVersion = [resource.group, resource.version].filter((part) => part !== '').join('/')
    const metadata = { name, labels, ownerReferences: [owner] }
    await objects.create({ apiVersion, kind, metadata, spec })
    onTestFinished(async () => void (await objects.remove(name)))
    const written = objects.patch(name, { type: merge, body: { metadata: patch } })
    if ('isAllowed' in rest) await written
    else expect(await refusal(written)).toMatchObject({ code: 403, reason: 'Forbidden' })
  })

  test('[R6.5] of a second Site, nothing follows for what was made from the first', async () => {
    const second = { ...typeOf('Site'), metadata: { name: 'second' } }
    const sites = verbs(admin, resourceOf('Site'))
    await sites.create({ ...second, spec: { internalNetwork: '10.1.0.0/24' } })
    onTestFinished(async () => void (await sites.remove('second')))
    const services = verbs(admin, { ...resourceOf('Service'), namespace: 'default' })
    const make = async (name: string, owner: typeof ofSite) => {
      const labels = { 'app.kubernetes.io/managed-by': 'berth', 'berth.dev/site': owner.name }
      const metadata = { name, labels, ownerReferences: [owner] }
      await services.create({ ...typeOf('Service'), metadata, spec: { ports: [{ port: 6443 }] } })
      onTestFinished(async () => void (await services.remove(name)))
    }
    const write = (name: string, metadata: object, query = {}) =>
      services.patch(name, { type: merge, body: { metadata }, query })
    await make('of-second', { ...ofSite, name: 'second' })
    // From then on the API server asks for both.
    await until('the second Site counts', () => isRefused(write('of-second', none, dryRun)))
    await make('made', ofSite)
    await write('made', { annotations: { team: 'net' } })
    const said = 'it is made from Site/cluster: keep its labels and owner'
    expect((await refusal(write('made', none))).message).toContain(said)
    // As after a restore from a backup.
    await write('made', unowned)
    await write('made', { annotations: null })
    expect((await refusal(write('made', none))).message).toContain(said)
  })

  test('what the controller does with them, it still can', async () => {
    const now = () => new Date()
    const names = ['berth-webhook-service.metallb-system.svc']
    const agreed = { api: controller, namespace: 'metallb-system', names, now }
    const { ca: bundle } = await agreedCertificate(agreed)
    await publishBundle({ api: controller, names, bundle })
    const path = '-o=jsonpath={.spec.conversion.webhook.clientConfig.caBundle}'
    const known = kubectl('get', 'crd', 'bgppeers.metallb.io', path)
    expect(Buffer.from(known, 'base64').toString()).toBe(bundle)
    const of = ['validatingwebhookconfiguration', configuration]
    const bundles = kubectl('get', ...of, '-o=jsonpath={.webhooks[*].clientConfig.caBundle}')
    expect(new Set(bundles.split(' '))).toEqual(new Set([known]))
  })
})
