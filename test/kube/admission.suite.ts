// When and how the API server asks a webhook of ours, and what it does without an answer.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { base64Of, issue, newAuthority } from './certificates.ts'
import {
  apiAs,
  configMap,
  contract,
  core,
  type KubeObject,
  merge,
  newNamespace,
  refusal,
  verbs,
} from './cluster.ts'
import { defineCrd, forgetCrd, smallCrd } from './crds.ts'
import { until } from './waits.ts'

const warnings: string[] = []
const admin = apiAs('admin', { onWarning: (text) => warnings.push(text) })
const webhooks: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
}

type Json = Readonly<Record<string, unknown>>
type Review = { readonly request: Json & { readonly uid: string } }
type Answer = (request: Review['request']) => Json

const folder = mkdtempSync(join(tmpdir(), 'berth-admission-'))
let server: Server
let url = ''
let caBundle = ''
let asked: Review['request'][] = []
let answer: Answer = () => ({ allowed: true })

async function bodyOf(request: IncomingMessage): Promise<Review> {
  return JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString('utf8')) as Review
}

beforeAll(async () => {
  const authority = newAuthority(folder)
  const { certFile, keyFile } = issue(authority, 'hook', '/CN=hook', 'IP:127.0.0.1')
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
  server = createServer(pair, async (incoming, outgoing) => {
    const { request, ...review } = await bodyOf(incoming)
    asked.push(request)
    const response = { uid: request.uid, ...answer(request) }
    outgoing.setHeader('Content-Type', 'application/json')
    outgoing.end(JSON.stringify({ ...review, response }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  url = `https://127.0.0.1:${port}`
  caBundle = base64Of(authority.certFile)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

let namespace = ''
let maps = verbs(admin, core('configmaps'))
beforeEach(async () => {
  namespace = await newNamespace(admin)
  maps = verbs(admin, core('configmaps', namespace))
  asked = []
  warnings.length = 0
  answer = () => ({ allowed: true })
})

type Hook = { readonly clientConfig: object; readonly more?: object }

/** For the ConfigMaps of this test's namespace, from now on. */
async function register({ clientConfig, more = {} }: Hook): Promise<void> {
  await verbs(admin, webhooks).create({
    metadata: { name: 'contract' },
    webhooks: [
      {
        name: 'maps.contract.berth.dev',
        clientConfig,
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['configmaps'],
            operations: ['CREATE', 'UPDATE', 'DELETE'],
          },
        ],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: 'Ignore',
        timeoutSeconds: 3,
        ...more,
      },
    ],
  })
}
afterEach(() => verbs(admin, webhooks).removeAll({ fieldSelector: 'metadata.name=contract' }))

/** A new webhook is heard of within a second or so. */
const whenAsked = (): Promise<true> =>
  until('the webhook is asked', async () => {
    await maps.create(configMap('probe'), { dryRun: 'All' })
    return asked.length > 0 ? true : undefined
  })

contract('webhooks', () => {
  const hook = () => ({ clientConfig: { url, caBundle } })

  test('[C102] each write is shown as an AdmissionReview: what, by whom, before and after', async () => {
    await register(hook())
    await whenAsked()
    expect(asked[0]).toMatchObject({ operation: 'CREATE', dryRun: true, oldObject: null })
    asked = []
    await maps.create(configMap('a', { x: '1' }))
    await maps.patch('a', { type: merge, body: { data: { x: '2' } } })
    await maps.remove('a')
    const [made, changed, gone] = asked
    expect(made).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      name: 'a',
      namespace,
      operation: 'CREATE',
      dryRun: false,
      userInfo: { username: 'admin' },
      object: { data: { x: '1' } },
      oldObject: null,
    })
    expect(changed).toMatchObject({
      operation: 'UPDATE',
      object: { data: { x: '2' } },
      oldObject: { data: { x: '1' } },
    })
    expect(gone).toMatchObject({
      operation: 'DELETE',
      object: null,
      oldObject: { data: { x: '2' } },
    })
  })

  test('[C103] a refusal reaches the user in our words, with our code (else 400); so do warnings', async () => {
    await register(hook())
    await whenAsked()
    answer = () => ({ allowed: false, status: { code: 422, message: 'pool a overlaps pool b' } })
    const refused = await refusal(maps.create(configMap('a')))
    expect(refused.code).toBe(422)
    const said = 'admission webhook "maps.contract.berth.dev" denied the request: '
    expect(refused.message).toContain(`${said}pool a overlaps pool b`)
    answer = () => ({ allowed: true, warnings: ['pool a is deprecated'] })
    await maps.create(configMap('a'))
    expect(warnings).toEqual(['pool a is deprecated'])
  })

  test('[C104] matchConditions keep requests away, such as those of our own account', async () => {
    const expression = 'request.userInfo.username != "admin" || object.metadata.name == "probe"'
    const matchConditions = [{ name: 'not-ours', expression }]
    await register({ ...hook(), more: { matchConditions } })
    await whenAsked()
    asked = []
    answer = () => ({ allowed: false })
    await maps.create(configMap('a'))
    expect(asked).toEqual([])
    expect(await refusal(maps.create(configMap('probe')))).toMatchObject({ code: 400 })
  })

  test('[C105] nobody there, or not to be trusted: with Ignore the write passes', async () => {
    const closed = { url: 'https://127.0.0.1:9/', caBundle }
    const service = { service: { name: 'missing', namespace, path: '/validate' }, caBundle }
    const untrusted = { url, caBundle: base64Of(otherAuthority()) }
    for (const clientConfig of [closed, service, untrusted]) {
      await register({ clientConfig })
      const made = await maps.create(configMap('a'))
      expect(made.metadata.name).toBe('a')
      await maps.remove('a')
      await verbs(admin, webhooks).remove('contract')
    }
    expect(asked).toEqual([])
  })

  test('[C106] with Fail it is refused instead, 500 InternalError', async () => {
    const clientConfig = { url: 'https://127.0.0.1:9/', caBundle }
    await register({ clientConfig, more: { failurePolicy: 'Fail' } })
    const refused = await until('the webhook is asked', () =>
      maps.create(configMap('a'), { dryRun: 'All' }).then(
        () => undefined,
        (error: { readonly code?: number; readonly reason?: string }) => error,
      ),
    )
    expect(refused).toMatchObject({ code: 500, reason: 'InternalError' })
  })

  test('[C107] an answer that makes no sense counts as none', async () => {
    await register(hook())
    await whenAsked()
    answer = () => ({ uid: 'another', allowed: false })
    expect(await maps.create(configMap('a'))).toBeDefined()
  })
})

function otherAuthority(): string {
  const other = mkdtempSync(join(folder, 'other-'))
  return newAuthority(other).certFile
}

type Conversion = { readonly desiredAPIVersion: string; readonly objects: readonly KubeObject[] }

contract('conversion', () => {
  const crates = (version: string): Resource => ({
    group: 'contract.berth.dev',
    version,
    plural: 'crates',
  })
  const crate = (version: string, spec: object) => ({
    apiVersion: `contract.berth.dev/${version}`,
    kind: 'Crate',
    metadata: { name: 'a' },
    spec,
  })
  const name = 'crates.contract.berth.dev'

  /** Two versions, v1 stored, and our server between them. */
  function converted(): object {
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    const definition = smallCrd('crates', schema) as { spec: { versions: object[] } }
    const [stored = {}] = definition.spec.versions
    const old = { ...stored, name: 'v1beta1', storage: false }
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url, caBundle } }
    return {
      ...definition,
      spec: {
        ...definition.spec,
        versions: [stored, old],
        conversion: { strategy: 'Webhook', webhook },
      },
    }
  }
  afterEach(() => forgetCrd(admin, name))

  test('[C108] objects are converted to what is stored and to what is asked for', async () => {
    answer = (request) => {
      const { desiredAPIVersion, objects } = request as unknown as Conversion
      const convertedObjects = objects.map((object) => ({
        ...object,
        apiVersion: desiredAPIVersion,
        spec: { ...object.spec, via: desiredAPIVersion.split('/').at(-1) },
      }))
      return { result: { status: 'Success' }, convertedObjects }
    }
    await defineCrd(admin, name, converted())
    const old = verbs(admin, crates('v1beta1'))
    const made = await old.create(crate('v1beta1', { size: 1 }))
    expect(made).toMatchObject({
      apiVersion: 'contract.berth.dev/v1beta1',
      spec: { size: 1, via: 'v1beta1' },
    })
    const stored = await verbs(admin, crates('v1')).get('a')
    expect(stored).toMatchObject({ apiVersion: 'contract.berth.dev/v1', spec: { via: 'v1' } })
    const { items } = await old.list()
    expect(items).toMatchObject([{ apiVersion: 'contract.berth.dev/v1beta1', spec: { size: 1 } }])
  })

  test('[C109] a conversion that fails is refused in our words; the stored version is served', async () => {
    answer = () => ({ result: { status: 'Failed', message: 'no way back' }, convertedObjects: [] })
    await defineCrd(admin, name, converted())
    const refused = await refusal(
      verbs(admin, crates('v1beta1')).create(crate('v1beta1', { size: 1 })),
    )
    expect(refused.message).toContain('no way back')
    const stored = verbs(admin, crates('v1'))
    await stored.create(crate('v1', { size: 1 }))
    expect((await stored.list()).items).toHaveLength(1)
  })
})
