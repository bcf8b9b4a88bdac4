// @kubernetes/client-node on our API: lists in pages, writes of every kind, refusals.
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { clientOf, library, newNamespace, refusal, type ShownList } from './clientNode.ts'
import { isKubernetes } from './server.ts'

const client = library && clientOf(inject('kubeconfig'))
if (client === undefined) describe.skip('client-node')
else suite(client)

function suite({ library: k8s, config, core, as }: ReturnType<typeof clientOf>): void {
  let namespace = ''
  beforeEach(async () => {
    namespace = await newNamespace(core)
  })
  const map = (name: string, data: object = {}, labels?: object): object => ({
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    data,
  })
  const create = (name: string, data?: object, labels?: object) =>
    core.createNamespacedConfigMap({ namespace, body: map(name, data, labels) })
  const patch = (name: string, body: unknown, ...rest: [strategy: object, asked?: object]) =>
    core.patchNamespacedConfigMap({ namespace, name, body, ...rest[1] }, rest[0])
  const names = ({ items }: ShownList): string[] => items.map(({ metadata }) => metadata.name)

  describe('client-node reads', () => {
    test('lists in pages of one moment', async () => {
      for (let at = 0; at < 7; at += 1) await create(`m${at}`)
      const first = await core.listNamespacedConfigMap({ namespace, limit: 3 })
      await create('m00')
      const next = (page: ShownList) =>
        core.listNamespacedConfigMap({ namespace, limit: 3, _continue: page.metadata._continue })
      const second = await next(first)
      const third = await next(second)
      expect(first.metadata.remainingItemCount).toBe(4)
      const all = [first, second, third].flatMap(names)
      expect(all).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'])
      expect(third.metadata._continue).toBeUndefined()
      expect(third.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    })

    test('what labels and fields select, in one namespace and in all', async () => {
      await create('a', {}, { tier: 'front' })
      await create('b', {}, { tier: 'back' })
      const selected = async (asked: object) =>
        names(await core.listNamespacedConfigMap({ namespace, ...asked }))
      expect(await selected({ labelSelector: 'tier in (back)' })).toEqual(['b'])
      expect(await selected({ fieldSelector: 'metadata.name=a' })).toEqual(['a'])
      const fieldSelector = `metadata.namespace=${namespace},metadata.name!=a`
      expect(names(await core.listConfigMapForAllNamespaces({ fieldSelector }))).toEqual(['b'])
    })

    test('every other kind into its model', async () => {
      const metadata = { name: 'x' }
      const containers = [{ name: 'c', image: 'i' }]
      const podSpec = { containers, automountServiceAccountToken: false }
      await core.createNamespacedPod({ namespace, body: { metadata, spec: podSpec } })
      await core.createNamespacedSecret({ namespace, body: { metadata, stringData: { a: 'b' } } })
      await core.createNamespacedServiceAccount({ namespace, body: { metadata } })
      const ports = [{ port: 80, targetPort: 'http' }]
      await core.createNamespacedService({ namespace, body: { metadata, spec: { ports } } })
      const involvedObject = { kind: 'Pod', namespace, name: 'x' }
      await core.createNamespacedEvent({ namespace, body: { metadata, involvedObject } })
      const labels = { app: 'x' }
      const template = { metadata: { labels }, spec: podSpec }
      const spec = { selector: { matchLabels: labels }, template }
      const apps = config.makeApiClient(k8s.AppsV1Api)
      await apps.createNamespacedDeployment({ namespace, body: { metadata, spec } })
      const leases = config.makeApiClient(k8s.CoordinationV1Api)
      await leases.createNamespacedLease({
        namespace,
        body: { metadata, spec: { leaseTransitions: 1 } },
      })
      const slices = config.makeApiClient(k8s.DiscoveryV1Api)
      const endpoints = [{ addresses: ['10.0.0.1'] }]
      const slice = { metadata, addressType: 'IPv4', endpoints }
      await slices.createNamespacedEndpointSlice({ namespace, body: slice })
      const lists = await Promise.all([
        core.listNamespacedPod({ namespace }),
        core.listNamespacedSecret({ namespace }),
        core.listNamespacedService({ namespace }),
        core.listNamespacedEvent({ namespace }),
        apps.listNamespacedDeployment({ namespace }),
        leases.listNamespacedLease({ namespace }),
        slices.listNamespacedEndpointSlice({ namespace }),
      ])
      expect(lists.map(names)).toEqual(lists.map(() => ['x']))
      expect(lists[0].items[0]?.metadata.creationTimestamp).toBeInstanceOf(Date)
      const definitions = config.makeApiClient(k8s.ApiextensionsV1Api)
      const defined = await definitions.listCustomResourceDefinition({})
      expect(names(defined)).toContain('addresses.berth.dev')
    })

    test('version, health, and whether it may', async () => {
      expect(await config.makeApiClient(k8s.VersionApi).getCode()).toMatchObject({ minor: '36' })
      expect(await new k8s.Health(config).readyz({})).toBe(true)
      const reviews = config.makeApiClient(k8s.AuthorizationV1Api)
      const body = { spec: { resourceAttributes: { verb: 'delete', resource: 'pods' } } }
      const review = await reviews.createSelfSubjectAccessReview({ body })
      expect(review.status).toMatchObject({ allowed: true })
    })
  })

  describe('client-node writes', () => {
    test('create, replace and delete, over a resourceVersion that must still hold', async () => {
      const made = await create('a', { k: 'v' })
      const body = { ...made, data: { k: 'w' } }
      const replace = () => core.replaceNamespacedConfigMap({ namespace, name: 'a', body })
      expect((await replace()).data).toEqual({ k: 'w' })
      expect(await refusal(replace())).toMatchObject({ code: 409, reason: 'Conflict' })
      const remove = (preconditions: object) =>
        core.deleteNamespacedConfigMap({ namespace, name: 'a', body: { preconditions } })
      expect(await refusal(remove({ uid: 'other' }))).toMatchObject({ reason: 'Conflict' })
      expect(await remove({ uid: made.metadata.uid })).toMatchObject({ status: 'Success' })
    })

    test('JSON, merge and strategic patches', async () => {
      await create('a', { k: 'v' })
      const steps = [{ op: 'move', from: '/data/k', path: '/data/l' }]
      expect((await patch('a', steps, as('JsonPatch'))).data).toEqual({ l: 'v' })
      const change = { data: { l: null, m: 'w' } }
      expect((await patch('a', change, as('MergePatch'))).data).toEqual({ m: 'w' })
      const spec = { ports: [{ name: 'http', port: 80 }] }
      const name = 'web'
      await core.createNamespacedService({ namespace, body: { metadata: { name }, spec } })
      const more = { spec: { ports: [{ name: 'https', port: 443 }] } }
      const strategic = as('StrategicMergePatch')
      const patched = await core.patchNamespacedService({ namespace, name, body: more }, strategic)
      expect(patched.spec?.['ports']).toHaveLength(2)
    })

    test('server-side apply: conflicts, and who owns what', async () => {
      const apply = (k: string, fieldManager: string, force = false) => {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', ...map('a', { k }) }
        return patch('a', body, as('ServerSideApply'), { fieldManager, force })
      }
      await apply('1', 'one')
      const refused = await refusal(apply('2', 'two'))
      expect(refused.details?.causes).toMatchObject([{ field: '.data.k' }])
      const taken = await apply('2', 'two', true)
      expect(taken.metadata.managedFields?.map(({ manager }) => manager)).toContain('two')
      expect(taken.data).toEqual({ k: '2' })
    })

    test('the status alone', async () => {
      const name = 'web'
      const body = { metadata: { name }, spec: { ports: [{ port: 80 }] } }
      await core.createNamespacedService({ namespace, body })
      const lastTransitionTime = new Date(0)
      const message = ''
      const condition = { type: 'Ready', status: 'True', reason: 'So', message, lastTransitionTime }
      const change = { status: { conditions: [condition] }, spec: { type: 'NodePort' } }
      const asked = { namespace, name, body: change }
      await core.patchNamespacedServiceStatus(asked, as('MergePatch'))
      const read = await core.readNamespacedServiceStatus({ namespace, name })
      expect(read).toMatchObject({ spec: { type: 'ClusterIP' }, status: { conditions: [{}] } })
    })

    test('a collection is deleted by its labels', async () => {
      for (const name of ['a', 'b', 'c']) await create(name, {}, { of: name })
      await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'of!=b' })
      expect(names(await core.listNamespacedConfigMap({ namespace }))).toEqual(['b'])
    })

    test('nothing, when it is a dry run', async () => {
      await core.createNamespacedConfigMap({ namespace, body: map('a'), dryRun: 'All' })
      expect(names(await core.listNamespacedConfigMap({ namespace }))).toEqual([])
    })
  })

  describe('client-node and custom kinds', () => {
    const group = 'metallb.io'
    const of = { group, version: 'v1beta1', plural: 'communities', namespace: 'metallb-system' }
    const community = (name: string, value: string): object => ({
      apiVersion: 'metallb.io/v1beta1',
      kind: 'Community',
      metadata: { name, namespace: of.namespace, labels: { of: 'client-node' } },
      spec: { communities: [{ name: `of-${name}`, value }] },
    })
    const labelSelector = 'of=client-node'

    test('CustomObjectsApi: every verb', async () => {
      const custom = config.makeApiClient(k8s.CustomObjectsApi)
      onTestFinished(async () => {
        await custom.deleteCollectionNamespacedCustomObject({ ...of, labelSelector })
      })
      await custom.createNamespacedCustomObject({ ...of, body: community('n1', '1:1') })
      await custom.createNamespacedCustomObject({ ...of, body: community('n2', '1:2') })
      const page = await custom.listNamespacedCustomObject({ ...of, limit: 1, labelSelector })
      const _continue = page.metadata.continue
      const rest = await custom.listNamespacedCustomObject({ ...of, _continue, labelSelector })
      expect([...names(page), ...names(rest)]).toEqual(['n1', 'n2'])
      const steps = [{ op: 'replace', path: '/spec/communities/0/value', value: '1:3' }]
      const named = { ...of, name: 'n1' }
      await custom.patchNamespacedCustomObject({ ...named, body: steps }, as('JsonPatch'))
      const read = await custom.getNamespacedCustomObject(named)
      expect(read.spec).toEqual({ communities: [{ name: 'of-n1', value: '1:3' }] })
      const body = { ...read, spec: { communities: [] } }
      const replaced = await custom.replaceNamespacedCustomObject({ ...named, body })
      expect(replaced.metadata.generation).toBe(3)
      const strategic = { ...named, body: { spec: {} } }
      const refused = refusal(
        custom.patchNamespacedCustomObject(strategic, as('StrategicMergePatch')),
      )
      expect(await refused).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' })
      await custom.deleteNamespacedCustomObject(named)
    })

    test('KubernetesObjectApi: found by discovery', async () => {
      const objects = k8s.KubernetesObjectApi.makeApiClient(config)
      const made = await objects.create(community('n3', '1:1'))
      onTestFinished(async () => {
        await objects.delete(community('n3', '1:1')).catch(() => undefined)
      })
      expect(made.metadata.generation).toBe(1)
      const change = { ...community('n3', '1:1'), spec: { communities: [] } }
      const patched = await objects.patch(
        change,
        ...[undefined, undefined, undefined, undefined],
        k8s.PatchStrategy.MergePatch,
      )
      expect(patched.metadata.generation).toBe(2)
      expect(names(await objects.list('metallb.io/v1beta1', 'Community', of.namespace))).toContain(
        'n3',
      )
      const cluster = await objects.list('v1', 'Node')
      expect(cluster.items.length).toBeGreaterThanOrEqual(isKubernetes ? 0 : 1)
      await objects.delete(made)
      expect(await refusal(objects.read(made))).toMatchObject({ reason: 'NotFound' })
      const unknown = { ...made, kind: 'Nothing' }
      await expect(objects.read(unknown)).rejects.toThrow('Unrecognized API version and kind')
    })
  })

  describe('client-node is refused', () => {
    test('with the Status: what is not there, is there already, is wrong', async () => {
      const read = core.readNamespacedConfigMap({ namespace, name: 'none' })
      const details = { name: 'none', kind: 'configmaps' }
      expect(await refusal(read)).toMatchObject({ code: 404, reason: 'NotFound', details })
      await create('a')
      expect(await refusal(create('a'))).toMatchObject({ code: 409, reason: 'AlreadyExists' })
      const invalid = await refusal(create('Not_A_Name'))
      expect(invalid).toMatchObject({
        code: 422,
        details: { causes: [{ field: 'metadata.name' }] },
      })
      const list = core.listNamespacedConfigMap({ namespace, fieldSelector: 'data.k=v' })
      expect(await refusal(list)).toMatchObject({ code: 400, reason: 'BadRequest' })
      const gone = core.listNamespacedConfigMap({ namespace, _continue: 'nonsense' })
      expect(await refusal(gone)).toMatchObject({ code: 400 })
    })
  })
}
