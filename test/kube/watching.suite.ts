// What the API tells a watch, and what ours makes of it when the network or the past is lost.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/edge/host/clock.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import { type WatchStep, watch } from '../../src/edge/kube/api/watch.ts'
import {
  apiAs,
  configMap,
  contract,
  core,
  type KubeObject,
  kube,
  newNamespace,
  verbs,
} from './cluster.ts'
import { forgetful, forgetPast } from './forgetPast.ts'
import { connectionFor } from './harness.ts'
import { next, until } from './waits.ts'
import { newWire, type Wire } from './wire.ts'

const admin = apiAs('admin')
type Event = { readonly type: string; readonly object: KubeObject }

let over = new AbortController()
beforeEach(() => {
  over = new AbortController()
})
afterEach(() => over.abort())

async function* events(
  resource: Resource,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<Event> {
  const watched = { watch: 'true', ...query }
  const lines = admin.stream({
    method: 'GET',
    path: pathOf(resource),
    query: watched,
    signal: over.signal,
  })
  for await (const line of lines) yield JSON.parse(line) as Event
}

const said = ({ type, object }: Event): string => `${type} ${object.metadata.name}`

function ours(api: Api, resource: Resource): AsyncGenerator<WatchStep> {
  return watch(api, resource, { signal: over.signal, clock: systemClock, random: Math.random })
}

/** One word a step, and the name of its object. */
function wordOf(step: WatchStep): string {
  if (!('json' in step)) return step.type
  const { metadata } = step.json as KubeObject
  return `${step.type} ${metadata.name}`
}

async function words(steps: AsyncGenerator<WatchStep>, count: number): Promise<string[]> {
  const found: string[] = []
  while (found.length < count) {
    const step = await next(`step ${found.length + 1} after ${found}`, steps)
    if (step.type !== 'fault') found.push(wordOf(step))
  }
  return found
}

contract('watching', () => {
  test('[C19] from the resourceVersion of a list on, every change comes once and in order', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    await maps.create(configMap('a'))
    const { metadata } = await maps.list()
    await maps.create(configMap('b'))
    await maps.patch('a', { type: 'application/merge-patch+json', body: { data: { x: '1' } } })
    await maps.remove('b')
    const watched = events(resource, { resourceVersion: metadata.resourceVersion })
    const seen: Event[] = []
    while (seen.length < 3) seen.push(await next('an event', watched))
    expect(seen.map(said)).toEqual(['ADDED b', 'MODIFIED a', 'DELETED b'])
    await maps.create(configMap('c'))
    expect(said(await next('a later event', watched))).toBe('ADDED c')
    expect(seen[0]?.object).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
  })

  test('[C20] what is deleted comes as it last was, under a resourceVersion of its own', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    const made = await maps.create(configMap('a', { x: '1' }))
    await maps.remove('a')
    const { resourceVersion } = made.metadata
    const { type, object } = await next('an event', events(resource, { resourceVersion }))
    expect(type).toBe('DELETED')
    expect(object).toMatchObject({ data: { x: '1' }, metadata: { uid: made.metadata.uid } })
    expect(object.metadata.resourceVersion).not.toBe(resourceVersion)
  })

  test('[C21] bookmarks are sent when asked for, with a resourceVersion to go on from', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    const elsewhere = verbs(admin, core('configmaps', await newNamespace(admin)))
    const { metadata } = await maps.list()
    const { resourceVersion: since } = metadata
    // One comes about two seconds before the end when there is news, but it is not promised: news is
    // made until one has come.
    let seen: Awaited<ReturnType<typeof bookmark>> | undefined
    const bookmark = (timeoutSeconds: string) => {
      const query = { allowWatchBookmarks: 'true', resourceVersion: since, timeoutSeconds }
      return next('a bookmark', events(resource, query), ({ type }) => type === 'BOOKMARK')
    }
    for (let round = 0; round < 15 && seen === undefined; round++) {
      const asked = Promise.any(['3', '4', '5', '6'].map(bookmark)).catch(() => undefined)
      for (let news = 0; news < 5; news++) {
        await elsewhere.create(configMap(`other-${round}-${news}`))
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      seen = await asked
    }
    expect(seen?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' })
    await maps.create(configMap('a'))
    const resourceVersion = seen?.object.metadata.resourceVersion ?? ''
    expect(said(await next('an event', events(resource, { resourceVersion })))).toBe('ADDED a')
  }, 120_000)

  test('[C22] a watch ends after timeoutSeconds, as an answer that is complete', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const query = { resourceVersion: '0', timeoutSeconds: '1' }
    expect(await Array.fromAsync(events(resource, query))).toEqual([])
  })

  test('[C23] a resourceVersion that is forgotten is answered 410, as an event', async () => {
    const resource = core(forgetful, await newNamespace(admin))
    const ranges = verbs(admin, resource)
    const { metadata } = await ranges.create({ metadata: { name: 'a' } })
    for (const name of ['b', 'c']) await ranges.create({ metadata: { name } })
    await forgetPast(admin)
    const watched = events(resource, { resourceVersion: metadata.resourceVersion })
    const { type, object } = await next('an event', watched)
    expect(type).toBe('ERROR')
    expect(object).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' })
  })

  test('[C24] with resourceVersion 0, or none, a watch begins with what is there', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    await maps.create(configMap('a'))
    await maps.create(configMap('b'))
    for (const query of [{}, { resourceVersion: '0', fieldSelector: 'metadata.name=b' }]) {
      const watched = events(resource, query)
      const b = await next('ADDED b', watched, (event) => said(event) === 'ADDED b')
      expect(b.type).toBe('ADDED')
    }
  })

  test('[C25] what a selector no longer selects comes as DELETED', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    const { metadata } = await maps.create(configMap('a', {}, { labels: { tier: 'front' } }))
    const { resourceVersion } = metadata
    const relabel = (tier: string) =>
      maps.patch('a', {
        type: 'application/merge-patch+json',
        body: { metadata: { labels: { tier } } },
      })
    await relabel('back')
    await relabel('front')
    const watched = events(resource, { resourceVersion, labelSelector: 'tier=front' })
    expect(said(await next('an event', watched))).toBe('DELETED a')
    expect(said(await next('an event', watched))).toBe('ADDED a')
  })

  test('[C26] our watch lists, then follows', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    await maps.create(configMap('a'))
    await maps.create(configMap('b'))
    const steps = ours(admin, resource)
    const listed = ['init', 'init-apply a', 'init-apply b', 'init-done']
    expect(await words(steps, 4)).toEqual(listed)
    await maps.create(configMap('c'))
    await maps.remove('a')
    expect(await words(steps, 2)).toEqual(['apply c', 'delete a'])
  })
})

contract('watching through a network that fails', () => {
  let wire: Wire
  let through: Api
  beforeEach(async () => {
    wire = await newWire(kube)
    through = newApi(connectionFor(wire.address, 'admin'))
  })
  afterEach(async () => {
    through.close()
    await wire.close()
  })

  test('[C27] after a cut it goes on where it was: nothing lost, nothing twice', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    await maps.create(configMap('a'))
    const steps = ours(through, resource)
    expect(await words(steps, 3)).toEqual(['init', 'init-apply a', 'init-done'])
    await maps.create(configMap('b'))
    expect(await words(steps, 1)).toEqual(['apply b'])
    wire.cut()
    await maps.create(configMap('c'))
    await maps.remove('a')
    const fault = await next('a fault', steps, ({ type }) => type === 'fault')
    expect(fault).toMatchObject({ fault: { name: 'Fault' } })
    wire.mend()
    await maps.create(configMap('d'))
    expect(await words(steps, 3)).toEqual(['apply c', 'delete a', 'apply d'])
  })

  test('[C28] when the past is forgotten meanwhile, it lists again', async () => {
    const resource = core(forgetful, await newNamespace(admin))
    const ranges = verbs(admin, resource)
    const make = (name: string) => ranges.create({ metadata: { name } })
    await make('a')
    await make('b')
    const steps = ours(through, resource)
    expect(await words(steps, 4)).toEqual(['init', 'init-apply a', 'init-apply b', 'init-done'])
    wire.cut()
    await ranges.remove('a')
    await make('c')
    await make('d')
    await forgetPast(admin)
    wire.mend()
    const gone = await next('410', steps, (step) => step.type === 'fault' && 'code' in step.fault)
    expect(gone).toMatchObject({ fault: { code: 410 } })
    const again = ['init', 'init-apply b', 'init-apply c', 'init-apply d', 'init-done']
    expect(await words(steps, 5)).toEqual(again)
    await make('e')
    expect(await words(steps, 1)).toEqual(['apply e'])
  })

  test('[C29] a read on a connection that is gone is made again', async () => {
    const path = '/api/v1/namespaces/default'
    await through.call({ method: 'GET', path })
    const before = wire.made()
    await through.call({ method: 'GET', path })
    expect(wire.made()).toBe(before)
    wire.cut()
    wire.mend()
    expect(await through.call({ method: 'GET', path })).toMatchObject({ kind: 'Namespace' })
  })

  test('[C30] many calls at once use no more than 34 connections', async () => {
    const path = '/api/v1/namespaces/default'
    const calls = Array.from({ length: 200 }, () => through.call({ method: 'GET', path }))
    expect(await Promise.all(calls)).toHaveLength(200)
    expect(wire.made()).toBeLessThanOrEqual(34)
  })

  test('[C31] a watch that nobody wants any more leaves no connection', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const steps = ours(through, resource)
    await words(steps, 2)
    const following = steps.next()
    await until('the watch has connected', () => (wire.open() === 2 ? true : undefined))
    over.abort()
    expect(await following).toEqual({ done: true, value: undefined })
    expect(await steps.next()).toEqual({ done: true, value: undefined })
    await until('the watch is closed', () => (wire.open() === 1 ? true : undefined))
    through.close()
    await until('all is closed', () => (wire.open() === 0 ? true : undefined))
  })
})
