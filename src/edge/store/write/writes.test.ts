import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { type Answer, WritesStand } from '../../../../test/build/writesStand.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const map = (name: string, data: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  data,
})
const reasons = (answers: readonly Answer[]) =>
  answers.map(({ code, body }) => (code < 300 ? 'won' : body.reason)).sort()
const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))

test('four namespaces and the API’s own Service are there from the start, once', async () => {
  const folder = newFolder()
  const first = await WritesStand.start({ folder })
  const names = ['default', 'kube-node-lease', 'kube-public', 'kube-system']
  for (const name of names) {
    const { body } = await first.get(`/api/v1/namespaces/${name}`)
    expect(body.status).toEqual({ phase: 'Active' })
  }
  const api = '/api/v1/namespaces/default/services/kubernetes'
  const { body } = await first.get(api)
  expect(body.spec).toMatchObject({ clusterIP: '10.96.0.1', ports: [{ port: 443 }] })
  const { revision } = first.objects
  await first.stop()
  const second = await WritesStand.start({ folder })
  expect(second.objects.revision).toBe(revision)
  expect((await second.get(api)).body).toEqual(body)
})

test('[C32] a new object gets uid, resourceVersion and creation time, whatever it states', async () => {
  const now = () => new Date('2026-01-02T03:04:05.678Z')
  const stand = await WritesStand.start({ now })
  const { body } = await stand.create(maps, map('a', {}, { uid: 'x', selfLink: '/' }))
  expect(body.metadata).toMatchObject({ creationTimestamp: '2026-01-02T03:04:05Z' })
  expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
  expect(body.metadata.resourceVersion).toBe(String(stand.objects.revision))
  expect(body.metadata).not.toHaveProperty('selfLink')
})

test('[C34] [C38] of many concurrent writes of one name, one succeeds', async () => {
  const stand = await WritesStand.start()
  const made = await Promise.all(
    many(16, (index) => stand.create(maps, map('a', { by: `${index}` }))),
  )
  expect(reasons(made)).toEqual([...many(15, () => 'AlreadyExists'), 'won'])
  const { body } = await stand.get(`${maps}/a`)
  const put = await Promise.all(
    many(16, (index) =>
      stand.ask({ method: 'PUT', path: `${maps}/a`, body: { ...body, data: { by: `p${index}` } } }),
    ),
  )
  expect(reasons(put)).toEqual([...many(15, () => 'Conflict'), 'won'])
})

test('[C35] a generated name contains no vowels', async () => {
  const stand = await WritesStand.start()
  const made = await Promise.all(
    many(50, () => stand.create(maps, { metadata: { generateName: 'a-' } })),
  )
  const names = made.map(({ body }) => body.metadata.name)
  for (const name of names) expect(name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  expect(new Set(names).size).toBe(50)
  const long = { metadata: { generateName: 'x'.repeat(80) } }
  expect((await stand.create(maps, long)).body.metadata.name).toHaveLength(63)
})

test('[C39] a write without changes makes no revision', async () => {
  const stand = await WritesStand.start()
  await stand.create(maps, map('a', { x: '1' }))
  const { revision } = stand.objects
  const { body } = await stand.get(`${maps}/a`)
  await stand.ask({ method: 'PUT', path: `${maps}/a`, body })
  await stand.patch(`${maps}/a?fieldManager=other`, { data: { x: '1' } })
  expect(stand.objects.revision).toBe(revision)
})

test('[C47] a dry run is answered like a write, and writes nothing', async () => {
  const stand = await WritesStand.start()
  const { revision } = stand.objects
  const { code, body } = await stand.create(`${maps}?dryRun=All`, map('a', { x: '1' }))
  expect(code).toBe(201)
  expect(body.metadata).not.toHaveProperty('resourceVersion')
  await stand.create(maps, map('b'))
  expect((await stand.patch(`${maps}/b?dryRun=All`, { data: { y: '1' } })).body.data).toEqual({
    y: '1',
  })
  await stand.remove(`${maps}/b?dryRun=All`)
  expect((await stand.get(`${maps}/b`)).code).toBe(200)
  expect(stand.objects.revision).toBe(revision + 1)
})

test('[C51] a collection is deleted in the requested namespace', async () => {
  const stand = await WritesStand.start()
  await Promise.all(many(450, (index) => stand.create(maps, map(`m${index}`))))
  await stand.create('/api/v1/namespaces/kube-system/configmaps', map('other'))
  const { body } = await stand.remove(maps)
  expect(body.items).toHaveLength(450)
  expect((await stand.get(`${maps}/m7`)).code).toBe(404)
  expect((await stand.get('/api/v1/namespaces/kube-system/configmaps/other')).code).toBe(200)
})

test('[M1.5] a peer may be written in either version, and is kept in the newer', async () => {
  const stand = await WritesStand.start()
  await stand.installCrds()
  const peers = (version: string) => `/apis/metallb.io/${version}/namespaces/default/bgppeers`
  const spec = { myASN: 1, peerASN: 2, peerAddress: '10.0.0.1', holdTime: '90s' }
  const old = { apiVersion: 'metallb.io/v1beta1', kind: 'BGPPeer', metadata: { name: 'p' }, spec }
  const made = await stand.create(peers('v1beta1'), old)
  expect(made).toMatchObject({ code: 201, body: { apiVersion: 'metallb.io/v1beta1' } })
  const now = await stand.get(`${peers('v1beta2')}/p`)
  expect(now.body).toMatchObject({ apiVersion: 'metallb.io/v1beta2', spec: { disableMP: false } })
  await stand.patch(`${peers('v1beta2')}/p`, { spec: { vrf: 'red' } })
  const after = await stand.patch(`${peers('v1beta1')}/p`, { spec: { holdTime: '30s' } })
  expect(after.body.spec).not.toHaveProperty('vrf')
  const { body } = await stand.get(`${peers('v1beta2')}/p`)
  expect(body.spec).toMatchObject({ vrf: 'red', holdTime: '30s' })
  expect(body.metadata.annotations).toBeUndefined()
})

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const apply = (name: string, json: object) => ({
  method: 'PATCH' as const,
  path: `${crds}/${name}?fieldManager=test&force=true`,
  body: json,
  type: 'apply' as const,
})

test.each(['crds', 'embedded'])(
  '[C76] [C77] definitions in deploy/%s are accepted without a warning, and kept',
  async (folder) => {
    const stand = await WritesStand.start()
    for (const { body, warnings } of await stand.installCrds(folder)) {
      expect(warnings).toEqual([])
      const types = body.status.conditions.map((one: { type: string; status: string }) => one)
      expect(types).toMatchObject([
        { type: 'NamesAccepted', status: 'True' },
        { type: 'Established', status: 'True' },
      ])
      const { name } = body.metadata
      const bare = {
        apiVersion: body.apiVersion,
        kind: body.kind,
        metadata: { name },
        spec: body.spec,
      }
      const first = await stand.ask(apply(name, bare))
      const again = await stand.ask(apply(name, bare))
      expect(again.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
    }
  },
)

test('a definition with rules that are not checked, or a conversion webhook, causes a warning', async () => {
  const stand = await WritesStand.start()
  const rule = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.size() > 1' }] }
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { sail: storage ? rule : {}, ...(storage ? {} : { sail: { type: 'string' } }) },
      },
    },
  })
  const webhook = {
    clientConfig: { url: 'https://127.0.0.1/convert' },
    conversionReviewVersions: ['v1'],
  }
  const { code, warnings } = await stand.create(crds, {
    metadata: { name: 'boats.sea.dev' },
    spec: {
      group: 'sea.dev',
      scope: 'Cluster',
      names: { kind: 'Boat', plural: 'boats' },
      versions: [version('v1', true), version('v1beta1', false)],
      conversion: { strategy: 'Webhook', webhook },
    },
  })
  expect(code).toBe(201)
  expect(warnings).toEqual([
    'version v1: x-kubernetes-validations are kept and not checked here',
    expect.stringContaining('conversion webhooks are not called here'),
  ])
  const boat = { apiVersion: 'sea.dev/v1', kind: 'Boat', metadata: { name: 'b' }, sail: 'x' }
  expect((await stand.create('/apis/sea.dev/v1/boats', boat)).code).toBe(201)
  expect((await stand.get('/apis/sea.dev/v1beta1/boats/b')).code).toBe(404)
})

test('a stricter schema does not block changes to other fields of an old object', async () => {
  const stand = await WritesStand.start()
  const crd = (sail: object) => ({
    spec: {
      group: 'sea.dev',
      scope: 'Cluster',
      names: { kind: 'Boat', plural: 'boats' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { sail, crew: { type: 'integer' } } },
          },
        },
      ],
    },
  })
  await stand.create(crds, { metadata: { name: 'boats.sea.dev' }, ...crd({ type: 'string' }) })
  const boat = { apiVersion: 'sea.dev/v1', kind: 'Boat', metadata: { name: 'b' }, sail: 'x' }
  await stand.create('/apis/sea.dev/v1/boats', boat)
  await stand.patch(`${crds}/boats.sea.dev`, crd({ type: 'string', minLength: 3 }))
  expect((await stand.patch('/apis/sea.dev/v1/boats/b', { crew: 3 })).code).toBe(200)
  expect((await stand.patch('/apis/sea.dev/v1/boats/b', { sail: 'y' })).code).toBe(422)
})

test.each(['constructor', '__proto__'])(
  'a Secret of the type %s requires no keys',
  async (type) => {
    const stand = await WritesStand.start()
    const secrets = '/api/v1/namespaces/default/secrets'
    expect((await stand.create(secrets, { metadata: { name: 'a' }, type })).code).toBe(201)
  },
)

test.each([
  [20_000, 200],
  [19_999, 422],
])('a pod with 20,000 tolerations is updated with %i of them: %i', async (count, code) => {
  const stand = await WritesStand.start()
  const pods = '/api/v1/namespaces/default/pods'
  const tolerations = Array.from({ length: 20_000 }, (_, at) => ({
    ...{ key: `${at}`, operator: 'Exists', effect: 'NoExecute' },
  }))
  const spec = { containers: [{ name: 'c', image: 'x' }], tolerations }
  await stand.create(pods, { metadata: { name: 'a' }, spec })
  const left = tolerations.slice(-count).map((one) => ({ ...one, tolerationSeconds: 3 }))
  expect((await stand.patch(`${pods}/a`, { spec: { tolerations: left } })).code).toBe(code)
})
