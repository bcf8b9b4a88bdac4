// What the API does with creates, updates, patches and deletes, and with two writers at once.
import { beforeEach, expect, test } from 'vitest'
import {
  apiAs,
  apply,
  configMap,
  contract,
  core,
  fieldsOf,
  jsonPatch,
  loadBalancer,
  merge,
  newNamespace,
  refusal,
  strategic,
  verbs,
} from './cluster.ts'

const warnings: string[] = []
const admin = apiAs('admin', { onWarning: (text) => warnings.push(text) })

let namespace = ''
let maps = verbs(admin, core('configmaps'))
let services = verbs(admin, core('services'))
beforeEach(async () => {
  namespace = await newNamespace(admin)
  maps = verbs(admin, core('configmaps', namespace))
  services = verbs(admin, core('services', namespace))
  warnings.length = 0
})

const conflict = { code: 409, reason: 'Conflict' }
const outcomes = async (answers: readonly Promise<unknown>[]) => {
  const settled = await Promise.all(answers.map((answer) => answer.then(() => 'won', reasonOf)))
  return [...settled].sort()
}
const reasonOf = (error: { readonly reason?: string }): string => error.reason ?? String(error)

contract('writing', () => {
  test('[C32] what is created has uid, resourceVersion and creation time, and is answered whole', async () => {
    const { metadata, ...rest } = await maps.create(configMap('a', { x: '1' }))
    expect(metadata).toMatchObject({ name: 'a', namespace })
    expect(metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(metadata.resourceVersion).toMatch(/^\d+$/)
    expect(metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(rest).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', data: { x: '1' } })
    expect((await maps.get('a')).metadata).toEqual(metadata)
  })

  test('[C33] a name that is taken is answered 409 AlreadyExists', async () => {
    await maps.create(configMap('a', { x: '1' }))
    const refused = await refusal(maps.create(configMap('a', { x: '2' })))
    expect(refused).toMatchObject({ code: 409, reason: 'AlreadyExists' })
    expect(await maps.get('a')).toMatchObject({ data: { x: '1' } })
  })

  test('[C34] of many who create one name at once, one succeeds', async () => {
    const creating = Array.from({ length: 16 }, (_, index) =>
      maps.create(configMap('a', { by: String(index) })),
    )
    const lost = Array.from({ length: 15 }, () => 'AlreadyExists')
    expect(await outcomes(creating)).toEqual([...lost, 'won'])
  })

  test('[C35] generateName makes a name', async () => {
    const made = await maps.create({ metadata: { generateName: 'a-' } })
    expect(made.metadata.name).toMatch(/^a-[a-z0-9]{5}$/)
  })

  test('[C36] a namespace that is not there is answered 404 NotFound', async () => {
    const nowhere = verbs(admin, core('configmaps', 'nowhere'))
    const refused = await refusal(nowhere.create(configMap('a')))
    expect(refused).toMatchObject({ code: 404, reason: 'NotFound' })
  })

  test('[C37] an update of a version that is no longer there is answered 409 Conflict', async () => {
    const first = await maps.create(configMap('a', { x: '1' }))
    const second = await maps.replace('a', { ...first, data: { x: '2' } })
    expect(second.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion)
    const refused = await refusal(maps.replace('a', { ...first, data: { x: '3' } }))
    expect(refused).toMatchObject(conflict)
    expect(await maps.get('a')).toEqual(second)
  })

  test('[C38] of many who update one version at once, one succeeds', async () => {
    const first = await maps.create(configMap('a'))
    const updating = Array.from({ length: 16 }, (_, index) =>
      maps.replace('a', { ...first, data: { by: String(index) } }),
    )
    const lost = Array.from({ length: 15 }, () => 'Conflict')
    expect(await outcomes(updating)).toEqual([...lost, 'won'])
  })

  test('[C39] a write that changes nothing leaves the resourceVersion as it is', async () => {
    const first = await maps.create(configMap('a', { x: '1' }))
    const same = { type: merge, body: { data: { x: '1' } } }
    for (const after of [await maps.replace('a', first), await maps.patch('a', same)]) {
      expect(after.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    }
  })

  test.for([merge, strategic])(
    '[C40] a patch (%s) of a resourceVersion that is no longer there is answered 409 Conflict',
    async (type) => {
      const { metadata } = await maps.create(configMap('a', { x: '1' }))
      const { resourceVersion } = metadata
      const body = (x: string) => ({ metadata: { resourceVersion }, data: { x } })
      await maps.patch('a', { type, body: body('2') })
      const refused = await refusal(maps.patch('a', { type, body: body('3') }))
      expect(refused).toMatchObject(conflict)
      expect(await maps.get('a')).toMatchObject({ data: { x: '2' } })
    },
  )

  test.for([merge, strategic])(
    '[C41] a patch (%s) with another uid is answered 422 Invalid, on metadata.uid',
    async (type) => {
      await maps.create(configMap('a', { x: '1' }))
      const body = { metadata: { uid: 'another' }, data: { x: '2' } }
      const refused = await refusal(maps.patch('a', { type, body }))
      expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(fieldsOf(refused)).toContain('metadata.uid')
      expect(await maps.get('a')).toMatchObject({ data: { x: '1' } })
    },
  )

  test('[C42] a delete with another uid or resourceVersion is answered 409 Conflict', async () => {
    const first = await maps.create(configMap('a', { x: '1' }))
    const second = await maps.patch('a', { type: merge, body: { data: { x: '2' } } })
    const { uid, resourceVersion } = second.metadata
    const old = first.metadata.resourceVersion
    const wrong = [{ uid: 'another' }, { uid, resourceVersion: old }, { resourceVersion: old }]
    for (const preconditions of wrong) {
      expect(await refusal(maps.remove('a', { preconditions }))).toMatchObject(conflict)
    }
    await maps.remove('a', { preconditions: { uid, resourceVersion } })
    expect(await refusal(maps.get('a'))).toMatchObject({ code: 404 })
    expect(await refusal(maps.remove('a'))).toMatchObject({ code: 404, reason: 'NotFound' })
  })

  test('[C43] a patch of what is not there is answered 404; an apply makes it', async () => {
    const body = configMap('a', { x: '1' })
    expect(await refusal(maps.patch('a', { type: merge, body }))).toMatchObject({ code: 404 })
    const query = { fieldManager: 'contract' }
    expect(await maps.patch('a', { type: apply, body, query })).toMatchObject({ data: { x: '1' } })
  })

  test('[C44] a merge patch: null removes, lists are replaced', async () => {
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ]
    await services.create(loadBalancer('a', { ports, selector: { x: '1', y: '2' } }))
    const spec = { selector: { x: null, z: '3' }, ports: [{ name: 'c', port: 82 }] }
    const after = await services.patch('a', { type: merge, body: { spec } })
    expect(after.spec).toMatchObject({ selector: { y: '2', z: '3' } })
    expect(after.spec?.['ports']).toMatchObject([{ name: 'c', port: 82 }])
  })

  test('[C45] a strategic patch: ports merge by port, $patch deletes and replaces', async () => {
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ]
    await services.create(loadBalancer('a', { ports }))
    const patched = async (change: readonly object[]) => {
      const body = { spec: { ports: change } }
      const { spec } = await services.patch('a', { type: strategic, body })
      const after = (spec?.['ports'] ?? []) as { name: string; port: number }[]
      return after.map(({ name, port }) => `${name}:${port}`).sort()
    }
    expect(await patched([{ port: 81, name: 'bb' }])).toEqual(['a:80', 'bb:81'])
    expect(await patched([{ port: 80, $patch: 'delete' }])).toEqual(['bb:81'])
    const instead = [{ port: 90, name: 'c' }, { $patch: 'replace' }]
    expect(await patched(instead)).toEqual(['c:90'])
  })

  test('[C46] a JSON patch: operations in order, all or none; a test that fails is 422', async () => {
    const labels = { 'y/z': '2' }
    await maps.create(configMap('a', { x: '1' }, { labels }))
    const body = [
      { op: 'test', path: '/data/x', value: '1' },
      { op: 'replace', path: '/data/x', value: '3' },
      { op: 'remove', path: '/metadata/labels/y~1z' },
      { op: 'add', path: '/data/w', value: '4' },
    ]
    const after = await maps.patch('a', { type: jsonPatch, body })
    expect(after.data).toEqual({ x: '3', w: '4' })
    expect(after.metadata.labels).toBeUndefined()
    const refused = await refusal(maps.patch('a', { type: jsonPatch, body }))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    expect((await maps.get('a')).data).toEqual({ x: '3', w: '4' })
  })

  test('[C47] with dryRun the answer is the real one, and nothing happens', async () => {
    const query = { dryRun: 'All' }
    const made = await maps.create(configMap('a', { x: '1' }), query)
    expect(made).toMatchObject({ metadata: { name: 'a', namespace }, data: { x: '1' } })
    expect(await refusal(maps.get('a'))).toMatchObject({ code: 404 })
    const first = await maps.create(configMap('a', { x: '1' }))
    const refused = await refusal(maps.create(configMap('a'), query))
    expect(refused).toMatchObject({ code: 409, reason: 'AlreadyExists' })
    const patched = await maps.patch('a', { type: merge, body: { data: { x: '2' } }, query })
    expect(patched.data).toEqual({ x: '2' })
    expect(await maps.get('a')).toEqual(first)
  })

  test('[C48] fields that are not known: Strict refuses, Warn warns, Ignore is silent', async () => {
    const body = { ...loadBalancer('a', { colour: 'red' }), shape: 'round' }
    const create = (fieldValidation: string) =>
      services.create(body, { fieldValidation, dryRun: 'All' })
    const refused = await refusal(create('Strict'))
    expect(refused).toMatchObject({ code: 400, reason: 'BadRequest' })
    expect(refused.message).toContain('strict decoding error: unknown field "')
    for (const field of ['shape', 'spec.colour']) {
      expect(refused.message).toContain(`unknown field "${field}"`)
    }
    expect((await create('Ignore')).spec).not.toHaveProperty('colour')
    expect(warnings).toEqual([])
    expect((await create('Warn')).spec).not.toHaveProperty('colour')
    const said = ['unknown field "shape"', 'unknown field "spec.colour"']
    expect([...warnings].sort()).toEqual(said)
  })

  test('[C49] an object that is not valid is answered 422 Invalid, with the path of each field', async () => {
    const ports = [{ port: 0 }, { port: 81, protocol: 'ICMP' }]
    const refused = await refusal(services.create(loadBalancer('a', { ports })))
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
    const fields = ['spec.ports[0].name', 'spec.ports[1].name', 'spec.ports[0].port']
    expect(fieldsOf(refused)).toEqual(expect.arrayContaining(fields))
    expect(fieldsOf(refused)).toContain('spec.ports[1].protocol')
  })

  test('[C50] a body that cannot be read is answered 400, one of a strange type 415', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    const send = (body: unknown, contentType: string) =>
      refusal(admin.call({ method: 'POST', path, body, contentType }))
    expect(await send([1, 2], 'application/json')).toMatchObject({ code: 400 })
    expect(await send(configMap('a'), 'text/plain')).toMatchObject({ code: 415 })
    const body = configMap('a', { x: 1 })
    expect(await send(body, 'application/json')).toMatchObject({ code: 400, reason: 'BadRequest' })
  })

  test('[C51] deleting a collection deletes what its selector selects', async () => {
    await maps.create(configMap('a', {}, { labels: { tier: 'front' } }))
    await maps.create(configMap('b', {}, { labels: { tier: 'back' } }))
    await maps.removeAll({ labelSelector: 'tier=front' })
    const { items } = await maps.list({ labelSelector: 'tier' })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['b'])
  })
})

contract('server-side apply', () => {
  const applied = (manager: string, data: object, force = 'false') =>
    maps.patch('a', {
      type: apply,
      body: configMap('a', data),
      query: { fieldManager: manager, force },
    })

  test('[C52] a field of another manager is answered 409 Conflict and names both', async () => {
    await applied('one', { x: '1' })
    const refused = await refusal(applied('other', { x: '2' }))
    expect(refused).toMatchObject(conflict)
    expect(refused.status).toMatchObject({
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.x' }] },
    })
    expect(refused.message).toContain('"one"')
    expect((await maps.get('a')).data).toEqual({ x: '1' })
  })

  test('[C53] the same value is no conflict; with force the field changes hands', async () => {
    await applied('one', { x: '1' })
    await applied('other', { x: '1' })
    expect((await applied('other', { x: '2' }, 'true')).data).toEqual({ x: '2' })
    expect(await refusal(applied('one', { x: '1' }))).toMatchObject(conflict)
  })

  test('[C54] what a manager no longer applies is removed, unless another has it too', async () => {
    await applied('one', { x: '1', y: '1' })
    await applied('other', { y: '1', z: '1' })
    expect((await applied('one', {})).data).toEqual({ y: '1', z: '1' })
  })
})
