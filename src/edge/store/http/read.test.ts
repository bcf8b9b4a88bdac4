// What get and list answer, byte for byte where it matters, as kube-apiserver 1.36.3 does.

import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ApiStand } from '../../../../test/build/apiStand.ts'

const maps = '/api/v1/namespaces/shop/configmaps'
const configMap = (name: string, namespace = 'shop', labels: object = {}) => ({
  metadata: { name, namespace, labels },
  data: { x: name },
})
const namesOf = (json: { items: { metadata: { name: string } }[] }): string[] =>
  json.items.map(({ metadata }) => metadata.name)
const as = (kind: string, version = 'v1') => ({
  headers: { Accept: `application/json;as=${kind};v=${version};g=meta.k8s.io,application/json` },
})

let stand: ApiStand
beforeAll(async () => {
  stand = await ApiStand.start()
  for (const name of ['c', 'a', 'b']) await stand.put('configmaps', configMap(name))
  await stand.put('configmaps', configMap('a', 'lab', { tier: 'front' }))
})
afterAll(async () => {
  expect(stand.failures).toEqual([])
  await stand.stop()
})

describe('one object', () => {
  test('is sent as it is stored', async () => {
    const { code, text, headers } = await stand.ask(`${maps}/a`)
    expect(code).toBe(200)
    expect(text).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"shop",' +
        '"labels":{},"resourceVersion":"2"},"data":{"x":"a"}}\n',
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      'content-length': String(text.length),
    })
  })

  test('[C11] that is not there is answered 404 NotFound, with name and plural', async () => {
    expect((await stand.ask(`${maps}/x`)).json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "x" not found',
      reason: 'NotFound',
      details: { name: 'x', kind: 'configmaps' },
      code: 404,
    })
  })

  test('of a future resourceVersion is answered 504', async () => {
    expect((await stand.ask(`${maps}/a?resourceVersion=0`)).code).toBe(200)
    const { json, headers } = await stand.ask(`${maps}/a?resourceVersion=99`)
    expect(json).toMatchObject({
      message: 'Timeout: Too large resource version: 99, current: 4',
      reason: 'Timeout',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
      code: 504,
    })
    expect(headers['retry-after']).toBe('1')
  })

  test('is indented for curl, and on request', async () => {
    const { text: plain } = await stand.ask(`${maps}/a`)
    const pretty = JSON.stringify(JSON.parse(plain), null, 2)
    const curl = { headers: { 'User-Agent': 'curl/8' } }
    expect((await stand.ask(`${maps}/a`, curl)).text).toBe(pretty)
    expect((await stand.ask(`${maps}/a?pretty=true`)).text).toBe(pretty)
    expect((await stand.ask(`${maps}/a?pretty=false`, curl)).text).toBe(plain)
    const empty = await stand.ask(`${maps}?labelSelector=none&pretty=1`)
    expect(empty.text).toMatch(/"items": \[\]\n\}$/)
  })
})

describe('a list', () => {
  test('[C15] has items without their type, in order, of one revision', async () => {
    const { text, json } = await stand.ask(maps)
    expect(json).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    expect(json.metadata).toEqual({ resourceVersion: '4' })
    expect(namesOf(json)).toEqual(['a', 'b', 'c'])
    expect(text).toContain('"items":[{"metadata":{"name":"a"')
    expect(text).not.toContain('"kind":"ConfigMap"')
  })

  test('[C18] of all namespaces is one list; [C17] selectors select', async () => {
    expect(namesOf((await stand.ask('/api/v1/configmaps')).json)).toEqual(['a', 'a', 'b', 'c'])
    const front = await stand.ask('/api/v1/configmaps?labelSelector=tier=front')
    expect(front.json.items[0].metadata.namespace).toBe('lab')
    const two = await stand.ask('/api/v1/configmaps?fieldSelector=metadata.name=a')
    expect(two.json.items).toHaveLength(2)
    expect((await stand.ask(`${maps}?fieldSelector=data.x=y`)).code).toBe(400)
  })

  test('of an empty collection has no items', async () => {
    const { text } = await stand.ask('/api/v1/secrets')
    expect(text).toBe(
      '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"4"},"items":[]}\n',
    )
  })

  test('has the type of its items when they are of a custom kind [C84]', async () => {
    const own = await ApiStand.start()
    own.kinds.define(definition)
    await own.put('pools.example.com', { metadata: { name: 'p' }, spec: { size: 3 } })
    const { json, headers } = await own.ask('/apis/example.com/v1/pools')
    expect(json).toMatchObject({ kind: 'PoolList', apiVersion: 'example.com/v1' })
    expect(json.items[0]).toMatchObject({ kind: 'Pool', apiVersion: 'example.com/v1' })
    expect(headers.warning).toBeUndefined()
    const old = await own.ask('/apis/example.com/v1alpha1/pools')
    expect(old.json.items[0]).toMatchObject({ apiVersion: 'example.com/v1alpha1', spec: {} })
    expect(old.headers.warning).toBe('299 - "use \\"v1\\" \\\\ inst\u00c3\u00a4ead"')
    const one = await own.ask('/apis/example.com/v1alpha1/pools/p')
    expect(one.json).toMatchObject({ apiVersion: 'example.com/v1alpha1', kind: 'Pool' })
    await own.stop()
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
    versions: ['v1', 'v1alpha1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      ...(name === 'v1' ? {} : { deprecated: true, deprecationWarning: 'use "v1" \\ instäead' }),
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { size: { type: 'integer' } } },
          },
        },
      },
    })),
  },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
}

describe('pages', () => {
  test('[C13] share one resourceVersion', async () => {
    const own = await ApiStand.start()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await own.put('configmaps', configMap(name))
    const page = async (query: string) => (await own.ask(`${maps}?limit=2${query}`)).json
    const first = await page('')
    expect(first.metadata).toMatchObject({ resourceVersion: '5', remainingItemCount: 3 })
    await own.put('configmaps', configMap('aa'))
    await own.put('configmaps', configMap('cc'))
    await own.remove('configmaps', 'shop', 'd')
    const second = await page(`&continue=${first.metadata.continue}`)
    const third = await page(`&continue=${second.metadata.continue}`)
    const found = [first, second, third].flatMap(namesOf)
    expect(found).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(third.metadata).toEqual({ resourceVersion: '5' })
    const selected = await page('&labelSelector=!x')
    expect(selected.metadata).not.toHaveProperty('remainingItemCount')
    expect(selected.metadata.continue).toBeTruthy()
    const both = await page(`&continue=${first.metadata.continue}&resourceVersion=5`)
    expect(both.message).toBe('specifying resource version is not allowed when using continue')
    await own.stop()
  })

  test('[C16] of an expired resourceVersion are answered 410, with a token to continue', async () => {
    const own = await ApiStand.start({ store: { history: { changes: 3, bytes: 1e6 } } })
    for (const name of ['a', 'b', 'c']) await own.put('configmaps', configMap(name))
    const first = (await own.ask(`${maps}?limit=1`)).json
    for (const name of ['d', 'a', 'a', 'c']) await own.put('configmaps', configMap(name))
    const gone = await own.ask(`${maps}?limit=1&continue=${first.metadata.continue}`)
    expect(gone.json).toMatchObject({ code: 410, reason: 'Expired' })
    expect(gone.json.message).toContain('The provided continue parameter is too old')
    const rest = await own.ask(`${maps}?continue=${gone.json.metadata.continue}`)
    expect(namesOf(rest.json)).toEqual(['b', 'c', 'd'])
    expect(rest.json.metadata.resourceVersion).toBe('7')
    const exact = await own.ask(`${maps}?resourceVersion=1&resourceVersionMatch=Exact`)
    expect(exact.json).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    })
    await own.stop()
  })

  test.each([
    ['', '4', ['a', 'b', 'c']],
    ['resourceVersion=0&limit=1', '4', ['a', 'b', 'c']],
    ['resourceVersion=1', '4', ['a', 'b', 'c']],
    ['resourceVersion=1&resourceVersionMatch=NotOlderThan&limit=1', '4', ['a']],
    ['resourceVersion=2&resourceVersionMatch=Exact', '2', ['a', 'c']],
    ['resourceVersion=1&limit=5', '1', ['c']],
    ['limit=-1', '4', ['a', 'b', 'c']],
  ])('?%s is of revision %s', async (query, revision, names) => {
    const { json } = await stand.ask(`${maps}?${query}`)
    expect([json.metadata.resourceVersion, namesOf(json)]).toEqual([revision, names])
  })

  const token = 'invalid continue token: continue key is not valid:'
  test.each([
    ['resourceVersion=99', 504, 'Timeout: Too large resource version: 99, current: 4'],
    [
      'resourceVersion=-1',
      400,
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: ' +
        'parsing "-1": invalid syntax',
    ],
    [
      'resourceVersion=18446744073709551616',
      400,
      'invalid resource version: resourceVersion: Invalid value: "18446744073709551616": ' +
        'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    ['continue=xx', 400, `${token} this server did not issue it`],
    ['continue=e30', 400, `${token} server does not recognize this encoded version `],
    [
      `continue=${btoa('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}')}`,
      400,
      `${token} incorrect encoded start resourceVersion (version meta.k8s.io/v1)`,
    ],
    [
      `continue=${btoa('{"v":"meta.k8s.io/v1","rv":4}')}`,
      400,
      `${token} empty encoded start key (version meta.k8s.io/v1)`,
    ],
    [
      `continue=${btoa('{"v":"meta.k8s.io/v1","rv":99,"start":"a"}')}`,
      504,
      'Timeout: Too large resource version: 99, current: 4',
    ],
  ])('?%s is answered %s', async (query, code, message) => {
    expect((await stand.ask(`${maps}?${query}`)).json).toMatchObject({ code, message })
  })
})

describe('another form', () => {
  test('[C94] a table has a row for each, and the metadata of its object', async () => {
    const { json } = await stand.ask(maps, as('Table'))
    expect(json).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' })
    expect(json.metadata).toEqual({ resourceVersion: '4' })
    expect(json.rows[1]).toMatchObject({
      cells: ['b', 1, '<unknown>'],
      object: { kind: 'PartialObjectMetadata', metadata: { name: 'b', resourceVersion: '3' } },
    })
    const one = (await stand.ask(`${maps}/a`, as('Table', 'v1beta1'))).json
    expect(one).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1', rows: [{}] })
    expect(one.metadata).toEqual({ resourceVersion: '2' })
    const bare = (await stand.ask(`${maps}/a?includeObject=None`, as('Table'))).json
    expect(bare.rows[0].object).toBeNull()
    const whole = (await stand.ask(`${maps}/a?includeObject=Object`, as('Table'))).json
    expect(whole.rows[0].object).toMatchObject({ kind: 'ConfigMap', data: { x: 'a' } })
    const wrong = (await stand.ask(`${maps}/a?includeObject=foo`, as('Table'))).json
    expect(wrong.message).toContain("must be 'Metadata', 'Object', 'None', or empty")
  })

  test('metadata alone', async () => {
    const { json } = await stand.ask(`${maps}/a`, as('PartialObjectMetadata'))
    expect(json).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a', namespace: 'shop', labels: {}, resourceVersion: '2' },
    })
    const list = (await stand.ask(`${maps}?limit=1`, as('PartialObjectMetadataList'))).json
    expect(list).toMatchObject({
      kind: 'PartialObjectMetadataList',
      metadata: { resourceVersion: '4', remainingItemCount: 2 },
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    })
  })

  const meta = 'v=v1;g=meta.k8s.io'
  test.each([
    ['application/vnd.kubernetes.protobuf, application/json', 200, 'ConfigMap'],
    ['application/json;as=Foo;v=v1;g=meta.k8s.io,application/json', 200, 'ConfigMap'],
    [`application/json;q=0.5,application/json;as=Table;${meta}`, 200, 'Table'],
    [`application/vnd.kubernetes.protobuf;as=Table;${meta},*/*`, 200, 'ConfigMap'],
    ['', 200, 'ConfigMap'],
    ['application/json; stream=watch', 200, 'ConfigMap'],
    ['text/html', 406, 'Status'],
    ['application/vnd.kubernetes.protobuf', 406, 'Status'],
    ['application/json;as=Table;v=v2;g=meta.k8s.io', 406, 'Status'],
    [`application/json;as=PartialObjectMetadataList;${meta}`, 406, 'Status'],
  ])('Accept: %s is answered %s %s', async (Accept, code, kind) => {
    const answer = await stand.ask(`${maps}/a`, { headers: { Accept } })
    expect(answer).toMatchObject({ code, json: { kind } })
  })
})

describe('a long list', () => {
  const many = 3_000
  let own: ApiStand
  const startWith = async (limits: { stallMs?: number; answerMs?: number }): Promise<void> => {
    own = await ApiStand.start({ limits })
    const long = 'ä'.repeat(500)
    const puts = Array.from({ length: many }, (_, index) =>
      own.put('configmaps', { metadata: { name: `m${index}`, namespace: 'shop' }, data: { long } }),
    )
    await Promise.all(puts)
  }
  afterEach(() => own.stop())
  const impatient = { stallMs: 500, answerMs: 1_500 }

  test('is complete, and compressed on request', async () => {
    await startWith({})
    const { json, text, headers } = await own.ask(maps)
    expect(json.items).toHaveLength(many)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
    const zipped = await new Promise<{ coding: unknown; bytes: Buffer }>((resolve, reject) => {
      const options = own.options({ headers: { 'Accept-Encoding': 'deflate, gzip;q=0.8' } })
      const asked = request({ ...options, path: maps }, async (response) => {
        const bytes = Buffer.concat(await Array.fromAsync(response))
        resolve({ coding: response.headers['content-encoding'], bytes })
      })
      asked.on('error', reject).end()
    })
    expect(zipped.coding).toBe('gzip')
    expect(zipped.bytes.length).toBeLessThan(text.length / 5)
    expect(gunzipSync(zipped.bytes).toString('utf8')).toBe(text)
    const refused = await own.ask(maps, { headers: { 'Accept-Encoding': 'gzip;q=0' } })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('is dropped for a client that does not read it', async () => {
    await startWith(impatient)
    const socket = await own.socket()
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.on('close', resolve))
    const asked = `GET ${maps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n`
    // More than what the kernel keeps for both sides.
    socket.write(asked.repeat(20))
    await sleep(2_000)
    let received = 0
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    await closed
    expect(received).toBeLessThan(15 * many * 1_000)
    expect((await own.ask('/readyz')).code).toBe(200)
  })

  test('is dropped for a client that reads too slowly', async () => {
    await startWith(impatient)
    const socket = await own.socket()
    socket.on('error', () => undefined)
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    const asked = `GET ${maps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n`
    socket.write(asked.repeat(20))
    socket.pause()
    let received = 0
    while (!isClosed) {
      const chunk: Buffer | null = socket.read(100_000)
      received += chunk?.length ?? 0
      await sleep(100)
    }
    expect(received).toBeLessThan(15 * many * 1_000)
    expect((await own.ask('/readyz')).code).toBe(200)
  })
})
