import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { WritesStand } from '../../../../test/build/writesStand.ts'
import { jsonOf } from '../values/jsonBytes.ts'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const definition = `${crds}/boats.sea.dev`
const boats = (version: string) => `/apis/sea.dev/${version}/boats`

/** v1alpha1 says oldName where v1 says newName. */
function versions(storage: string, served = ['v1alpha1', 'v1']) {
  const field = { v1alpha1: 'oldName', v1: 'newName' }
  return Object.entries(field).map(([name, own]) => ({
    name,
    served: served.includes(name),
    storage: name === storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { [own]: { type: 'string' } } } },
      },
    },
  }))
}
const crd = (storage: string, more: object = {}) => ({
  metadata: { name: 'boats.sea.dev' },
  spec: {
    group: 'sea.dev',
    scope: 'Cluster',
    names: { kind: 'Boat', plural: 'boats' },
    versions: versions(storage),
    ...more,
  },
})
const old = {
  apiVersion: 'sea.dev/v1alpha1',
  kind: 'Boat',
  metadata: { name: 'b' },
  spec: { oldName: 'x' },
}

function kept(stand: WritesStand) {
  const stored = stand.objects.get('boats.sea.dev', '', 'b')
  return stored && jsonOf(stored.bytes)
}

test('an object keeps its storage version until it is written, and is shown in the requested one', async () => {
  const folder = newFolder()
  const first = await WritesStand.start({ folder })
  await first.create(crds, crd('v1alpha1'))
  await first.create(boats('v1alpha1'), old)
  await first.patch(definition, { spec: { versions: versions('v1') } })
  const { revision } = first.objects
  await first.writes.settled()
  await first.stop()
  const stand = await WritesStand.start({ folder })
  await stand.writes.settled()
  expect(stand.objects.revision).toBe(revision)
  expect(kept(stand)).toMatchObject({ apiVersion: 'sea.dev/v1alpha1', spec: { oldName: 'x' } })
  const now = await stand.get(`${boats('v1')}/b`)
  expect(now.body).toMatchObject({ apiVersion: 'sea.dev/v1', spec: {} })
  expect((await stand.get(`${boats('v1alpha1')}/b`)).body.spec).toEqual({ oldName: 'x' })
  // As long as it can be taken back nothing is lost.
  await stand.patch(definition, { spec: { versions: versions('v1alpha1') } })
  await stand.patch(`${boats('v1alpha1')}/b`, { metadata: { labels: { a: 'b' } } })
  expect(kept(stand)).toMatchObject({ apiVersion: 'sea.dev/v1alpha1', spec: { oldName: 'x' } })
})

test('a write without changes stores the object in the current version, once', async () => {
  const stand = await WritesStand.start()
  await stand.create(crds, crd('v1alpha1'))
  await stand.create(boats('v1alpha1'), { ...old, spec: {} })
  await stand.patch(definition, { spec: { versions: versions('v1', ['v1']) } })
  const { revision } = stand.objects
  await stand.patch(`${boats('v1')}/b`, {})
  expect(kept(stand)).toMatchObject({ apiVersion: 'sea.dev/v1' })
  await stand.patch(`${boats('v1')}/b`, {})
  expect(stand.objects.revision).toBe(revision + 1)
})

const webhook = {
  clientConfig: { url: 'https://127.0.0.1/convert' },
  conversionReviewVersions: ['v1'],
}
const conversion = { strategy: 'Webhook', webhook }

test('the storage version of objects that only a webhook could convert cannot change', async () => {
  const stand = await WritesStand.start()
  await stand.create(crds, crd('v1alpha1', { conversion }))
  await stand.create(boats('v1alpha1'), old)
  const change = { spec: { versions: versions('v1') } }
  const refused = await stand.patch(definition, change)
  expect(refused).toMatchObject({ code: 422, body: { reason: 'Invalid' } })
  expect(refused.body.message).toContain(
    'spec.versions: Invalid value: "v1": objects are kept in another version',
  )
  expect((await stand.patch(definition, { metadata: { labels: { a: 'b' } } })).code).toBe(200)
  await stand.remove(`${boats('v1alpha1')}/b`)
  expect((await stand.patch(definition, change)).code).toBe(200)
})

test('a write to a kind that has just gone is answered 404, and nothing is stored', async () => {
  const stand = await WritesStand.start()
  await stand.create(crds, crd('v1', { versions: versions('v1', ['v1']) }))
  const found = stand.writes.kinds.find('sea.dev', 'v1', 'boats')
  if (found === undefined) throw new Error('not served')
  const place = { found, namespace: '', name: '', isStatus: false, person: { user: 'admin' } }
  const options = {
    isDryRun: false,
    fieldManager: 'test',
    fieldValidation: 'Warn' as const,
    isForced: false,
  }
  const sent = { object: { ...old, apiVersion: 'sea.dev/v1', spec: {} }, duplicates: [] }
  await stand.remove(definition)
  await stand.writes.settled()
  const made = await stand.writes.create(place, sent, options)
  expect(made).toMatchObject({ ok: false, status: { code: 404, reason: 'NotFound' } })
  expect(kept(stand)).toBeUndefined()
  // Made again it is another kind, but the same place.
  await stand.create(crds, crd('v1'))
  expect(await stand.writes.create(place, sent, options)).toMatchObject({ ok: true })
  await stand.remove(`${boats('v1')}/b`)
  await stand.remove(definition)
  await stand.writes.settled()
  const deletion = {
    isDryRun: false,
    gracePeriodSeconds: undefined,
    propagationPolicy: undefined,
    preconditions: { uid: undefined, resourceVersion: undefined },
  }
  const gone = await stand.writes.delete({ ...place, name: 'b' }, deletion)
  expect(gone).toMatchObject({ ok: false, status: { code: 404 } })
})

test('a definition of a built-in kind is not accepted, and its deletion removes no objects', async () => {
  const stand = await WritesStand.start()
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  const name = 'leases.coordination.k8s.io'
  const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'me' } }
  expect((await stand.create(leases, lease)).code).toBe(201)
  const { body } = await stand.create(crds, {
    metadata: {
      name,
      annotations: {
        'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/1',
      },
    },
    spec: {
      ...crd('v1').spec,
      group: 'coordination.k8s.io',
      scope: 'Namespaced',
      names: { kind: 'Lease', plural: 'leases' },
    },
  })
  expect(body.status.conditions).toMatchObject([
    { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict' },
    { type: 'Established', status: 'False', reason: 'NotAccepted' },
  ])
  expect(stand.writes.kinds.get(name)?.isBuiltIn).toBe(true)
  await stand.remove(`${crds}/${name}`)
  await stand.writes.settled()
  expect((await stand.get(`${crds}/${name}`)).code).toBe(404)
  expect((await stand.get(`${leases}/l`)).body.spec).toMatchObject({ holderIdentity: 'me' })
})
