// How a write reaches who decides it, and how the outcome comes back; what it does is tested there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiStand, type AskOptions } from '../../../../test/build/apiStand.ts'

let stand: ApiStand
beforeAll(async () => {
  stand = await ApiStand.start({ isWhole: true })
})
afterAll(async () => {
  expect(stand.failures).toEqual([])
  await stand.stop()
})

const maps = '/api/v1/namespaces/default/configmaps'
const json = 'application/json'
const send = (method: string, path: string, body?: unknown, type = json, more: AskOptions = {}) =>
  stand.ask(path, {
    method,
    ...(body === undefined ? {} : { body }),
    ...more,
    headers: { ...(type === '' ? {} : { 'Content-Type': type }), ...more.headers },
  })
const create = (name: string, more: object = {}) =>
  send('POST', maps, { metadata: { name }, data: { x: '1' }, ...more })
const merge = 'application/merge-patch+json'
const apply = 'application/apply-patch+yaml'

test('[C32] a create is answered 201 with the whole object, which is stored', async () => {
  const { code, json } = await create('made')
  expect(code).toBe(201)
  expect(json).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { x: '1' } })
  expect((await stand.ask(`${maps}/made`)).json).toEqual(json)
})

test('the field manager is the one named, or the client program', async () => {
  const managed = async (path: string, agent: string, name: string) => {
    const headers = { 'User-Agent': agent }
    const body = { metadata: { name }, data: { x: '1' } }
    const { json } = await send('POST', path, body, 'application/json', { headers })
    return json.metadata.managedFields[0].manager
  }
  expect(await managed(maps, 'kubectl/v1.36.3 (linux/amd64)', 'm1')).toBe('kubectl')
  expect(await managed(`${maps}?fieldManager=me`, 'kubectl/v1.36.3', 'm2')).toBe('me')
})

test('the answer can be a table', async () => {
  const Accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const body = { metadata: { name: 'tabled' } }
  const { code, json } = await send('POST', maps, body, 'application/json', { headers: { Accept } })
  expect(code).toBe(201)
  expect(json).toMatchObject({
    kind: 'Table',
    rows: [{ cells: ['tabled', 0, expect.any(String)] }],
  })
})

test('a write is not refused because of the form of its answer', async () => {
  const Accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
  const body = { metadata: { name: 'formless' } }
  const { code, json } = await send('POST', maps, body, 'application/json', { headers: { Accept } })
  expect([code, json.kind]).toEqual([201, 'ConfigMap'])
})

test('[C48] unknown and duplicate fields cause a warning or are refused', async () => {
  const body = '{"metadata":{"name":"dup","name":"dup"},"data":{"a":"1","a":"2"},"foo":1}'
  const said = [
    'duplicate field "metadata.name"',
    'duplicate field "data.a"',
    'unknown field "foo"',
  ]
  const strict = await send('POST', `${maps}?fieldValidation=Strict`, body)
  expect(strict.json).toMatchObject({
    code: 400,
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
      said.join(', '),
  })
  const warned = await send('POST', `${maps}?dryRun=All`, body)
  expect(warned.code).toBe(201)
  const quoted = said.map((words) => `299 - "${words.replaceAll('"', '\\"')}"`)
  expect(warned.headers.warning).toBe(quoted.join(', '))
  const ignored = await send('POST', `${maps}?dryRun=All&fieldValidation=Ignore`, body)
  expect(ignored).toMatchObject({
    code: 201,
    headers: expect.not.objectContaining({ warning: '' }),
  })
  expect(ignored.headers.warning).toBeUndefined()
})

describe('bodies', () => {
  const unknownFormat =
    'the body of the request was in an unknown format - accepted media types include: ' +
    'application/json, application/yaml, application/vnd.kubernetes.protobuf'
  const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap):'

  test.each([
    ['text/plain', '{}', 415, unknownFormat],
    ['application/json, text/plain', '{}', 415, unknownFormat],
    [json, '{', 400, `${unrecognized} couldn't get version/kind; json parse error:`],
    [json, '', 400, `${unrecognized} couldn't get version/kind; json parse error:`],
    [json, '{} {}', 400, `${unrecognized} couldn't get version/kind; json parse error:`],
    [json, '[]', 400, `${unrecognized} it is not an object`],
    [json, '"x"', 400, `${unrecognized} it is not an object`],
    [json, '{"kind":1}', 400, `${unrecognized} kind and apiVersion are not strings`],
    [json, '{"kind":"Pod"}', 400, 'Pod in version "v1" cannot be handled as a ConfigMap:'],
    [
      json,
      '{"apiVersion":"v2"}',
      400,
      'ConfigMap in version "v2" cannot be handled as a ConfigMap:',
    ],
    ['application/yaml', 'a: [', 400, `${unrecognized} couldn't get version/kind;`],
    ['application/vnd.kubernetes.protobuf', 'k8s', 400, unrecognized],
    [json, 'null', 422, 'ConfigMap "" is invalid: metadata.name: Required value:'],
  ])('[C50] %s %s is answered %s', async (type, body, code, message) => {
    const answer = await send('POST', maps, body, type)
    expect(answer.json).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test.each([
    [json, '{"metadata":{"name":"b1"}}'],
    ['Application/JSON; charset=utf-8', '{"metadata":{"name":"b2"}}'],
    ['', '{"metadata":{"name":"b3"}}'],
    ['application/yaml', 'metadata:\n  name: b4\n'],
    ['application/yaml', '{"metadata":{"name":"b5"}}'],
    [
      'application/vnd.kubernetes.protobuf',
      'k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x06\n\x04\n\x02b6',
    ],
  ])('%s %j is taken', async (type, body) => {
    expect((await send('POST', maps, body, type)).code).toBe(201)
  })

  test('an object of a custom kind must state apiVersion and kind', async () => {
    const pools = '/apis/example.com/v1/pools'
    stand.kinds.define(definition)
    const said = async (body: object) => {
      const { json } = await send('POST', pools, body)
      return `${json.code} ${json.message}`
    }
    expect(await said({})).toContain(
      '400 the object provided is unrecognized (must be of type Pool)',
    )
    expect(await said({ kind: 'Pool' })).toBe(
      '400 the API version in the data () does not match the expected API version (example.com/v1)',
    )
    expect(await said({ kind: 'Foo', apiVersion: 'example.com/v1' })).toBe(
      '422 Foo.example.com "" is invalid: kind: Invalid value: "Foo": must be Pool',
    )
    const protobuf = await send('POST', pools, 'k8s', 'application/vnd.kubernetes.protobuf')
    expect(protobuf.code).toBe(415)
  })
})

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pools.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { kind: 'Pool', plural: 'pools' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
}

describe('parameters', () => {
  const is = (kind: string) => `${kind}.meta.k8s.io "" is invalid:`
  const dryRun = 'dryRun: Unsupported value: ["foo"]: supported values: "All"'
  test.each([
    ['POST', `${maps}?dryRun=foo`, json, `${is('CreateOptions')} ${dryRun}`],
    ['PUT', `${maps}/a?dryRun=foo`, json, `${is('UpdateOptions')} ${dryRun}`],
    ['DELETE', `${maps}/a?dryRun=foo`, '', `${is('DeleteOptions')} ${dryRun}`],
    [
      'POST',
      `${maps}?dryRun=`,
      json,
      `${is('CreateOptions')} dryRun: Unsupported value: [""]: supported values: "All"`,
    ],
    [
      'POST',
      `${maps}?fieldValidation=foo`,
      json,
      `${is('CreateOptions')} fieldValidation: Unsupported value: "foo": supported values: "", ` +
        '"Ignore", "Strict", "Warn"',
    ],
    [
      'POST',
      `${maps}?fieldManager=${'a'.repeat(129)}`,
      json,
      `${is('CreateOptions')} fieldManager: Too long: may not be more than 128 bytes`,
    ],
    [
      'PATCH',
      `${maps}/a?fieldManager=a%01b`,
      merge,
      `${is('PatchOptions')} fieldManager: Invalid value: "a\\u0001b": invalid character U+0001 ` +
        '(at position 1)',
    ],
    [
      'PATCH',
      `${maps}/a?force=true`,
      merge,
      `${is('PatchOptions')} force: Forbidden: may not be specified for non-apply patch`,
    ],
    [
      'PATCH',
      `${maps}/a`,
      apply,
      `${is('PatchOptions')} fieldManager: Required value: is required for apply patch`,
    ],
    [
      'DELETE',
      `${maps}/a?propagationPolicy=Foo`,
      '',
      `${is('DeleteOptions')} propagationPolicy: Unsupported value: "Foo": supported values: ` +
        '"Foreground", "Background", "Orphan", "nil"',
    ],
    [
      'DELETE',
      `${maps}/a?propagationPolicy=Orphan&orphanDependents=true`,
      '',
      `${is('DeleteOptions')} propagationPolicy: Invalid value: "Orphan": orphanDependents and ` +
        'deletionPropagation cannot be both set',
    ],
  ])('%s %s is answered 422', async (method, path, type, message) => {
    const { json } = await send(method, path, type === '' ? undefined : '{}', type)
    expect(json).toMatchObject({ code: 422, reason: 'Invalid', message })
  })

  test.each([
    [
      'DELETE',
      `${maps}/a?gracePeriodSeconds=abc`,
      'strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    ['DELETE', `${maps}?labelSelector=a=b=c`, "found '=', expected: ',' or 'end of string'"],
  ])('%s %s is answered 400', async (method, path, message) => {
    expect((await send(method, path, undefined, '')).json).toMatchObject({ code: 400, message })
  })
})

describe('patches', () => {
  const custom = '/apis/example.com/v1/pools/p'
  test.each([
    [`${maps}/a`, json, '415: Unsupported Media Type'],
    [`${maps}/a`, '', '415: Unsupported Media Type'],
    [
      custom,
      'application/strategic-merge-patch+json',
      'the body of the request was in an unknown format - accepted media types include: ' +
        'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    ],
  ])('[C83] %s as %s is answered 415', async (path, type, message) => {
    stand.kinds.define(definition)
    const { json } = await send('PATCH', path, '{}', type)
    expect(json).toMatchObject({ code: 415, reason: 'UnsupportedMediaType', message })
  })

  test.each([
    ['application/json-patch+json', 'error decoding patch: '],
    [merge, 'error decoding patch: '],
    ['application/strategic-merge-patch+json', ''],
    [apply, 'error decoding YAML: '],
  ])('%s that cannot be read is answered 400', async (type, begins) => {
    const { json } = await send('PATCH', `${maps}/a?fieldManager=m`, '{"a', type)
    expect(json.code).toBe(400)
    expect(json.message.startsWith(begins)).toBe(true)
  })

  test('[C43] [C44] [C53] each type is understood', async () => {
    await create('patched')
    const patch = (body: unknown, type: string, query = '') =>
      send('PATCH', `${maps}/patched${query}`, body, type)
    expect((await patch({ data: { y: '2' } }, merge)).json.data).toEqual({ x: '1', y: '2' })
    const strategic = 'application/strategic-merge-patch+json'
    expect((await patch({ data: { y: null } }, strategic)).json.data).toEqual({ x: '1' })
    const operations = [{ op: 'replace', path: '/data/x', value: '3' }]
    expect((await patch(operations, 'application/json-patch+json')).json.data).toEqual({ x: '3' })
    const applied = 'apiVersion: v1\nkind: ConfigMap\ndata:\n  x: "4"\n'
    expect((await patch(applied, apply, '?fieldManager=m')).code).toBe(409)
    const forced = await patch(applied, apply, '?fieldManager=m&force=true')
    expect(forced.json.data).toEqual({ x: '4' })
  })
})

describe('deleting', () => {
  test('is answered with a Status, and takes its options from a body, if any', async () => {
    const { uid } = (await create('gone')).json.metadata
    const options = { preconditions: { uid: 'other' } }
    expect((await send('DELETE', `${maps}/gone`, options)).code).toBe(409)
    expect((await send('DELETE', `${maps}/gone`, { kind: 'Pod', apiVersion: 'v1' })).code).toBe(400)
    expect((await send('DELETE', `${maps}/gone`, '{')).code).toBe(400)
    expect((await send('DELETE', `${maps}/gone`, '[]')).code).toBe(400)
    expect((await send('DELETE', `${maps}/gone`, '{}', 'text/plain')).code).toBe(415)
    const tried = await send('DELETE', `${maps}/gone?dryRun=All`, undefined, '')
    expect(tried.code).toBe(200)
    const removed = await send('DELETE', `${maps}/gone`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
    })
    expect(removed.json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid },
    })
    expect((await stand.ask(`${maps}/gone`)).code).toBe(404)
  })

  test('[C51] a collection answers the list of what it deleted', async () => {
    const labels = { suite: 'all' }
    for (const name of ['d1', 'd2']) await create(name, { metadata: { name, labels } })
    const { json } = await send('DELETE', `${maps}?labelSelector=suite=all`, undefined, '')
    expect(json).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    expect(json.items.map((item: { metadata: object }) => item.metadata)).toMatchObject([
      { name: 'd1' },
      { name: 'd2' },
    ])
    expect((await stand.ask(`${maps}?labelSelector=suite=all`)).json.items).toEqual([])
  })
})

test('[C55] the status of a Service is written where it is', async () => {
  const services = '/api/v1/namespaces/default/services'
  const spec = { type: 'LoadBalancer', ports: [{ port: 80, targetPort: 80 }] }
  await send('POST', services, { metadata: { name: 'web' }, spec })
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
  const written = await send('PATCH', `${services}/web/status`, { status, spec: { x: 1 } }, merge)
  expect(written.json.status.loadBalancer.ingress[0].ip).toBe('192.0.2.1')
  expect((await stand.ask(`${services}/web/status`)).json).toEqual(written.json)
})

test('a token that is bound to a namespace cannot write elsewhere', async () => {
  const shop = '/api/v1/namespaces/shop/configmaps'
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  const body = { metadata: { name: 'a', namespace: 'default' } }
  const around = await send('POST', shop, body, json, { token: 'tenant' })
  expect(around.json).toMatchObject({ code: 400, reason: 'BadRequest' })
  const inside = await send('POST', shop, { metadata: { name: 'a' } }, json, { token: 'tenant' })
  expect(inside.code).toBe(201)
})

test('a fault of the store is answered 500 with a remedy, and logged', async () => {
  const own = await ApiStand.start({ isWhole: true, store: { maxBytes: 200_000 } })
  const long = 'x'.repeat(300_000)
  const body = { metadata: { name: 'a' }, data: { long } }
  const { json } = await own.ask(maps, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  expect(json).toMatchObject({ code: 500, reason: 'InternalError' })
  expect(json.message).toContain('Free space on its disk')
  expect(own.failures).toHaveLength(1)
  expect((await own.ask(maps)).code).toBe(200)
  await own.stop()
})
