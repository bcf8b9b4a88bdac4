// How objects go, and what other objects the controller keeps: leases, events, secrets.
import { beforeEach, expect, test } from 'vitest'
import {
  apiAs,
  configMap,
  contract,
  core,
  fieldsOf,
  type KubeObject,
  merge,
  newNamespace,
  refusal,
  verbs,
} from './cluster.ts'
import { until } from './waits.ts'

const admin = apiAs('admin')
let namespace = ''
let maps = verbs(admin, core('configmaps'))
beforeEach(async () => {
  namespace = await newNamespace(admin)
  maps = verbs(admin, core('configmaps', namespace))
})

const isGone = async (get: Promise<KubeObject>): Promise<true | undefined> =>
  get.then(
    () => undefined,
    (error: { readonly code?: number }) => (error.code === 404 ? true : undefined),
  )

contract('going', () => {
  test('[C66] an object with a finalizer stays, marked, until the finalizer is taken away', async () => {
    await maps.create(configMap('a', {}, { finalizers: ['berth.dev/test'] }))
    await maps.remove('a')
    const { metadata } = await maps.get('a')
    expect(metadata.deletionTimestamp).toBeTruthy()
    expect(metadata.finalizers).toEqual(['berth.dev/test'])
    const add = { metadata: { finalizers: ['berth.dev/test', 'berth.dev/late'] } }
    const refused = await refusal(maps.patch('a', { type: merge, body: add }))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    await maps.patch('a', { type: merge, body: { metadata: { finalizers: null } } })
    expect(await refusal(maps.get('a'))).toMatchObject({ code: 404 })
  })

  test('[C67] what an object owns goes with it', async () => {
    const { metadata } = await maps.create(configMap('owner'))
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
    await maps.create(configMap('owned', {}, { ownerReferences: [owner] }))
    await maps.create(configMap('free'))
    await maps.remove('owner')
    await until('owned is collected', () => isGone(maps.get('owned')))
    expect(await maps.get('free')).toBeDefined()
  })

  test('[C68] with propagationPolicy Orphan it stays, without its owner', async () => {
    const { metadata } = await maps.create(configMap('owner'))
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
    await maps.create(configMap('owned', {}, { ownerReferences: [owner] }))
    await maps.remove('owner', { propagationPolicy: 'Orphan' })
    await until('owner is gone', () => isGone(maps.get('owner')))
    expect((await maps.get('owned')).metadata).not.toHaveProperty('ownerReferences')
  })

  test('[C69] a namespace takes its objects along', async () => {
    await maps.create(configMap('a'))
    const namespaces = verbs(admin, core('namespaces'))
    await namespaces.remove(namespace)
    await until('the namespace is gone', () => isGone(namespaces.get(namespace)))
    expect(await refusal(maps.get('a'))).toMatchObject({ code: 404 })
  })

  test('[C70] nothing new may enter a namespace that goes: 403, NamespaceTerminating', async () => {
    await maps.create(configMap('a', {}, { finalizers: ['berth.dev/test'] }))
    const namespaces = verbs(admin, core('namespaces'))
    await namespaces.remove(namespace)
    expect(await namespaces.get(namespace)).toMatchObject({ status: { phase: 'Terminating' } })
    const refused = await refusal(maps.create(configMap('b')))
    expect(refused).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(refused.status).toMatchObject({
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    })
    await maps.patch('a', { type: merge, body: { metadata: { finalizers: null } } })
  })
})

contract('leases', () => {
  const resource = () => ({
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    namespace,
  })
  const spec = (holderIdentity: string, seconds: string) => ({
    holderIdentity,
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-02T03:04:05.000001Z',
    renewTime: `2026-01-02T03:04:${seconds}Z`,
    leaseTransitions: 0,
  })

  test('[C71] of two who make a lease one gets it; of two who renew one version, one', async () => {
    const leases = verbs(admin, resource())
    const lease = (holder: string) => ({ metadata: { name: 'l' }, spec: spec(holder, '05.000001') })
    const made = await leases.create(lease('one'))
    const other = await refusal(leases.create(lease('other')))
    expect(other).toMatchObject({ code: 409, reason: 'AlreadyExists' })
    const renewed = await leases.replace('l', { ...made, spec: spec('one', '07.120000') })
    const late = await refusal(leases.replace('l', { ...made, spec: spec('other', '08.000000') }))
    expect(late).toMatchObject({ code: 409, reason: 'Conflict' })
    expect(await leases.get('l')).toEqual(renewed)
  })

  test('[C72] times keep their microseconds; a released lease has no holder', async () => {
    const leases = verbs(admin, resource())
    const made = await leases.create({ metadata: { name: 'l' }, spec: spec('one', '05.123456') })
    expect(made.spec).toEqual(spec('one', '05.123456'))
    const released = { ...spec('', '09.000000'), leaseDurationSeconds: 1 }
    const after = await leases.replace('l', { ...made, spec: released })
    expect(after.spec?.['holderIdentity'] ?? '').toBe('')
    const wrong = { ...made, spec: spec('one', '05') }
    expect(await refusal(leases.create({ ...wrong, metadata: { name: 'm' } }))).toMatchObject({
      code: 400,
    })
  })
})

contract('events', () => {
  const event = (involved: object, change: object = {}) => ({
    metadata: { generateName: 'web.' },
    involvedObject: { apiVersion: 'v1', kind: 'Service', name: 'web', ...involved },
    type: 'Normal',
    reason: 'IPAllocated',
    message: 'Assigned IP ["192.0.2.1"]',
    source: { component: 'metallb-controller' },
    firstTimestamp: '2026-01-02T03:04:05Z',
    lastTimestamp: '2026-01-02T03:04:05Z',
    count: 1,
    ...change,
  })

  test('[C73] an event is found by the object it is about, and counted up by a patch', async () => {
    const events = verbs(admin, core('events', namespace))
    const { metadata } = await events.create(event({ namespace, uid: 'u1' }))
    await events.create(event({ namespace, uid: 'u2' }))
    const fieldSelector = `involvedObject.kind=Service,involvedObject.uid=u1`
    const { items } = await events.list({ fieldSelector })
    expect(items.map((item) => item.metadata.name)).toEqual([metadata.name])
    const body = { count: 2, lastTimestamp: '2026-01-02T03:05:05Z' }
    expect(await events.patch(metadata.name, { type: merge, body })).toMatchObject(body)
  })

  test('[C74] an event is in the namespace of its object; of one without, in default', async () => {
    const elsewhere = verbs(admin, core('events', namespace))
    const refused = await refusal(elsewhere.create(event({ namespace: 'default' })))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    const onAddress = { apiVersion: 'berth.dev/v1alpha1', kind: 'Address', name: '192.0.2.1' }
    const events = verbs(admin, core('events', 'default'))
    const { metadata } = await events.create(event(onAddress))
    await events.remove(metadata.name)
    expect(await refusal(elsewhere.create(event(onAddress)))).toMatchObject({ code: 422 })
  })
})

contract('secrets', () => {
  test('[C75] a secret of type kubernetes.io/tls has both keys, in base64', async () => {
    const secrets = verbs(admin, core('secrets', namespace))
    const type = 'kubernetes.io/tls'
    const text = (value: string) => Buffer.from(value).toString('base64')
    const half = { metadata: { name: 'cert' }, type, data: { 'tls.crt': text('c') } }
    const refused = await refusal(secrets.create(half))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    expect(fieldsOf(refused)).toEqual(['data[tls.key]'])
    const whole = { ...half, data: { ...half.data, 'tls.key': text('k') } }
    expect((await secrets.create(whole)).data).toEqual(whole.data)
    const changed = { type: merge, body: { type: 'Opaque' } }
    expect(await refusal(secrets.patch('cert', changed))).toMatchObject({ code: 422 })
  })
})
