// What does a watch tell, from where on, and when does it end?
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import {
  ApiStand,
  type AskOptions,
  newPair,
  type StandOptions,
} from '../../../../test/build/apiStand.ts'
import type { JsonObject } from '../../../core/model/gate.ts'

const maps = '/api/v1/namespaces/shop/configmaps'
const configMap = (name: string, more: object = {}, namespace = 'shop') => ({
  metadata: { name, namespace, ...more },
  data: { x: name },
})
const labelled = (tier: string) => configMap('a', { labels: { tier } })

// biome-ignore lint/suspicious/noExplicitAny: what a test expects it to be is what it is
type Event = any
let stand: ApiStand
const open: AsyncGenerator<Event>[] = []
const start = async (options: StandOptions = {}): Promise<ApiStand> => {
  stand = await ApiStand.start(options)
  return stand
}
afterEach(async () => {
  for (const events of open.splice(0)) await events.return(undefined)
  expect(stand.failures).toEqual([])
  await stand.stop()
})

function watch(query: string, options: AskOptions = {}, path = maps): AsyncGenerator<Event> {
  const events = stand.events(`${path}?watch=1&${query}`, options)
  open.push(events)
  return events
}
/** Type, name and resourceVersion of so many events, or of all until the watch ends. */
async function told(events: AsyncGenerator<Event>, count = Number.POSITIVE_INFINITY) {
  const lines: string[] = []
  while (lines.length < count) {
    const { done, value } = await events.next()
    if (done) break
    const { name = '-', resourceVersion } = value.object.metadata ?? {}
    lines.push(`${value.type} ${name} ${resourceVersion}`)
  }
  return lines
}

test('[C19] from a resourceVersion on every change comes once, in order', async () => {
  await start()
  await stand.put('configmaps', configMap('a'))
  const events = watch('resourceVersion=1')
  await stand.put('configmaps', configMap('b'))
  await stand.put('configmaps', configMap('a'))
  await stand.put('configmaps', configMap('a', {}, 'lab'))
  await stand.put('secrets', configMap('a'))
  await stand.remove('configmaps', 'shop', 'b')
  expect(await told(events, 3)).toEqual(['ADDED b 2', 'MODIFIED a 3', 'DELETED b 2'])
  const again = watch('resourceVersion=2&timeoutSeconds=1')
  expect(await told(again)).toEqual(['MODIFIED a 3', 'DELETED b 2'])
})

test('an object is sent as it is stored, with its type', async () => {
  await start()
  await stand.put('configmaps', configMap('a'))
  const { text, headers } = await stand.ask(`${maps}?watch=1&timeoutSeconds=1`)
  const object = await stand.ask(`${maps}/a`)
  expect(text).toBe(`{"type":"ADDED","object":${object.text.trimEnd()}}\n`)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  })
})

test.each(['', 'resourceVersion=0&'])(
  '[C24] with "%s" it begins with what is there',
  async (at) => {
    await start()
    for (const name of ['b', 'a']) await stand.put('configmaps', configMap(name))
    await stand.put('configmaps', configMap('c', {}, 'lab'))
    const events = watch(at)
    expect(await told(events, 2)).toEqual(['ADDED a 2', 'ADDED b 1'])
    await stand.put('configmaps', configMap('a'))
    expect(await told(events, 1)).toEqual(['MODIFIED a 4'])
  },
)

test('[C25] an object that a selector no longer selects is sent as DELETED, as it was', async () => {
  await start()
  await stand.put('configmaps', labelled('front'))
  const events = watch('resourceVersion=1&labelSelector=tier=front')
  await stand.put('configmaps', labelled('back'))
  await stand.put('configmaps', labelled('back'))
  await stand.put('configmaps', labelled('front'))
  await stand.put('configmaps', labelled('front'))
  await stand.remove('configmaps', 'shop', 'a')
  await stand.put('configmaps', labelled('back'))
  await stand.remove('configmaps', 'shop', 'a')
  const { value: lost } = await events.next()
  expect(lost).toMatchObject({
    type: 'DELETED',
    object: { metadata: { name: 'a', resourceVersion: '2', labels: { tier: 'front' } } },
  })
  expect(await told(events, 3)).toEqual(['ADDED a 4', 'MODIFIED a 5', 'DELETED a 5'])
  const one = watch('resourceVersion=1&fieldSelector=metadata.name=b&timeoutSeconds=1')
  expect(await told(one)).toEqual([])
})

test('[C22] it ends after timeoutSeconds, as a complete answer', async () => {
  await start()
  const began = performance.now()
  expect(await stand.ask(`${maps}?watch=1&timeoutSeconds=1`)).toMatchObject({ code: 200, text: '' })
  expect(performance.now() - began).toBeGreaterThan(900)
})

test('[C23] an expired resourceVersion is answered by an ERROR of code 410', async () => {
  await start({ store: { history: { changes: 2, bytes: 1e6 } } })
  for (const name of ['a', 'b', 'c', 'd']) await stand.put('configmaps', configMap(name))
  const { code, json } = await stand.ask(`${maps}?watch=1&resourceVersion=1`)
  expect(code).toBe(200)
  expect(json).toEqual({
    type: 'ERROR',
    object: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'too old resource version: 1 (2)',
      reason: 'Expired',
      code: 410,
    },
  })
})

test('a future resourceVersion is answered in the same way: the client lists again', async () => {
  await start()
  const { json } = await stand.ask(`${maps}?watch=1&resourceVersion=77`)
  expect(json).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
})

test('a resourceVersion that is not a number is answered 400', async () => {
  await start()
  expect(await stand.ask(`${maps}?watch=1&resourceVersion=abc`)).toMatchObject({ code: 400 })
})

test('[C21] bookmarks follow changes, only in watches that allow them', async () => {
  await start({ limits: { bookmarkMs: 100 } })
  await stand.put('configmaps', configMap('a'))
  const events = watch('resourceVersion=1&allowWatchBookmarks=true')
  expect(await told(events, 1)).toEqual(['BOOKMARK - 1'])
  await stand.put('secrets', configMap('s'))
  const { value } = await events.next()
  expect(value).toEqual({
    type: 'BOOKMARK',
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '2' } },
  })
  const none = watch('resourceVersion=1&timeoutSeconds=1')
  expect(await told(none)).toEqual([])
})

test('a watch ends with a bookmark to continue from', async () => {
  await start()
  await stand.put('configmaps', configMap('a'))
  const events = watch('resourceVersion=1&timeoutSeconds=1&allowWatchBookmarks=true')
  await stand.put('secrets', configMap('s'))
  await stand.put('configmaps', configMap('b'))
  await stand.put('secrets', configMap('t'))
  expect(await told(events)).toEqual(['ADDED b 3', 'BOOKMARK - 4'])
})

const streaming = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'

test('a streamed list ends with a bookmark that says so', async () => {
  await start()
  for (const name of ['b', 'a']) await stand.put('configmaps', configMap(name))
  const events = watch(`${streaming}&allowWatchBookmarks=true`)
  expect(await told(events, 2)).toEqual(['ADDED a 2', 'ADDED b 1'])
  const { value } = await events.next()
  expect(value).toEqual({
    type: 'BOOKMARK',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        resourceVersion: '2',
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
    },
  })
  await stand.put('configmaps', configMap('c'))
  expect(await told(events, 1)).toEqual(['ADDED c 3'])
  const older = watch(`${streaming}&allowWatchBookmarks=true&resourceVersion=1&labelSelector=x`)
  expect(await told(older, 1)).toEqual(['BOOKMARK - 3'])
  const bare = watch(`${streaming}&timeoutSeconds=1&fieldSelector=metadata.name=a`)
  expect(await told(bare)).toEqual(['ADDED a 2'])
  const future = await stand.ask(`${maps}?watch=1&${streaming}&resourceVersion=99`)
  expect(future.json).toMatchObject({
    type: 'ERROR',
    object: { code: 504, message: 'Timeout: Too large resource version: 99, current: 3' },
  })
})

test('without initial events it starts from now', async () => {
  await start()
  await stand.put('configmaps', configMap('a'))
  const query = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1'
  expect(await told(watch(query))).toEqual([])
  expect(await told(watch(`${query}&resourceVersion=0`))).toEqual([])
})

const as = (kind: string) => ({
  headers: { Accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` },
})

test('as a table only the first event has the columns', async () => {
  await start()
  await stand.put('configmaps', configMap('a'))
  const events = watch(`${streaming}&allowWatchBookmarks=true`, as('Table'))
  const { value: first } = await events.next()
  expect(first.object).toMatchObject({ kind: 'Table', metadata: { resourceVersion: '1' } })
  expect(first.object.columnDefinitions[0].name).toBe('Name')
  const { value: end } = await events.next()
  expect(end.object).toMatchObject({
    columnDefinitions: null,
    rows: [{ object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } }],
  })
  const late = watch('resourceVersion=1', as('Table'))
  await stand.put('configmaps', configMap('b'))
  const [second, fresh] = [await events.next(), await late.next()]
  expect(second.value.object.columnDefinitions).toBeNull()
  expect(second.value.object.rows[0].cells[0]).toBe('b')
  expect(fresh.value.object.columnDefinitions).toHaveLength(3)
})

test('as metadata it contains only metadata', async () => {
  await start()
  await stand.put('configmaps', configMap('a'))
  const { value } = await watch('', as('PartialObjectMetadata')).next()
  expect(value.object).toEqual({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'a', namespace: 'shop', resourceVersion: '1' },
  })
  const list = as('PartialObjectMetadataList')
  expect((await stand.ask(`${maps}?watch=1`, list)).code).toBe(400)
})

test('an object that cannot be shown ends only that watch', async () => {
  await start()
  await stand.put('configmaps', configMap('a'))
  const [table, secrets] = [watch('', as('Table')), watch('', {}, '/api/v1/secrets')]
  expect((await table.next()).value.type).toBe('ADDED')
  await stand.objects.write((tx) => {
    const stored = tx.get('configmaps', 'shop', 'a')
    const bytes = Buffer.from('{"kind"')
    if (stored !== undefined) tx.put({ ...stored, revision: tx.next, bytes })
  })
  await expect(table.next()).rejects.toThrow()
  await expect(watch('', as('Table')).next()).rejects.toThrow()
  expect(stand.failures.splice(0)).toHaveLength(2)
  await stand.put('secrets', configMap('s'))
  expect(await told(secrets, 1)).toEqual(['ADDED s 3'])
})

test('[C31] a client that disconnects gets no more events', async () => {
  await start()
  const events = watch('resourceVersion=0')
  await stand.put('configmaps', configMap('a'))
  expect(await told(events, 1)).toEqual(['ADDED a 1'])
  await events.return(undefined)
  await sleep(100)
  await stand.put('configmaps', configMap('a'))
})

test("a watch ends with the certificate it was begun with, and nobody else's does", async () => {
  await start({ limits: { checkMs: 20 } })
  const admin = newPair('watching', '/O=system:masters/CN=admin')
  const ending = watch('resourceVersion=0', { ...admin, token: '' })
  const staying = watch('resourceVersion=0')
  await stand.put('configmaps', configMap('a'))
  expect(await told(ending, 1)).toEqual(['ADDED a 1'])
  stand.now = () => new Date(Date.now() + 2 * 86_400_000)
  expect(await told(ending)).toEqual([])
  await stand.put('configmaps', configMap('b'))
  expect(await told(staying, 2)).toEqual(['ADDED a 1', 'ADDED b 2'])
})

const pools = 'pools.example.com'
const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

async function define(storage: string): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } }
  const version = (name: string) => ({ name, served: true, storage: name === storage, schema })
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: pools },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { kind: 'Pool', plural: 'pools' },
      versions: [version('v1'), version('v2')],
    },
    status: { conditions: [{ type: 'Established', status: 'True' }] },
  }
  stand.kinds.define(definition)
  await stand.put(definitions, definition)
}

test('[C95] a watch ends when its kind is no longer served', async () => {
  await start()
  await define('v1')
  await stand.put(pools, { metadata: { name: 'p' } })
  const events = watch('', {}, '/apis/example.com/v1/pools')
  expect(await told(events, 1)).toEqual(['ADDED p 2'])
  await define('v1')
  await stand.put(pools, { metadata: { name: 'p' } })
  expect(await told(events, 1)).toEqual(['MODIFIED p 4'])
  stand.kinds.forget(pools)
  await stand.remove(definitions, '', pools)
  expect(await told(events)).toEqual([])
})

test('a watch ends when the storage version changes; each event has the version of its watch', async () => {
  await start()
  await define('v1')
  const path = '/apis/example.com/v1/pools'
  await stand.put(pools, { metadata: { name: 'old' }, size: 1 })
  const before = watch('', {}, path)
  expect(await told(before, 1)).toEqual(['ADDED old 2'])
  await define('v2')
  expect(await told(before)).toEqual([])
  await stand.put(pools, { metadata: { name: 'young' }, size: 2 })
  const after = watch('', {}, path)
  const shown = [(await after.next()).value, (await after.next()).value]
  expect(shown.map(({ object }) => object)).toMatchObject([
    { apiVersion: 'example.com/v1', metadata: { name: 'old' }, size: 1 },
    { apiVersion: 'example.com/v1', metadata: { name: 'young' }, size: 2 },
  ])
  const list = await stand.ask('/apis/example.com/v2/pools')
  expect(list.json.items.map((item: JsonObject) => item['apiVersion'])).toEqual([
    'example.com/v2',
    'example.com/v2',
  ])
})
