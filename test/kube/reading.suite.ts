// What the API answers to get and list.
import { expect, test } from 'vitest'
import { listPages } from '../../src/edge/kube/api/listPages.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { apiAs, configMap, contract, core, newNamespace, refusal, verbs } from './cluster.ts'
import { forgetful, forgetPast } from './forgetPast.ts'

const admin = apiAs('admin')
const never = new AbortController().signal

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `c${String(index).padStart(4, '0')}`)

/** With the version of each page. */
async function readAll(resource: Resource) {
  const [items, versions]: [{ metadata: { name: string } }[], string[]] = [[], []]
  for await (const page of listPages(admin, resource, never)) {
    items.push(...(page.items as Iterable<{ metadata: { name: string } }>))
    if (page.resourceVersion !== '') versions.push(page.resourceVersion)
  }
  return { items, versions }
}

contract('reading', () => {
  test('[C11] what is not there is answered 404 NotFound, with name and kind', async () => {
    const maps = verbs(admin, core('configmaps', await newNamespace(admin)))
    const { code, reason, status } = await refusal(maps.get('nothing'))
    expect({ code, reason }).toEqual({ code: 404, reason: 'NotFound' })
    expect(status).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      details: { name: 'nothing', kind: 'configmaps' },
    })
  })

  test('[C12] a kind that is not served is answered 404, with a Status or without', async () => {
    const unknown = { group: 'not.served', version: 'v1', plural: 'nothings' }
    expect(await refusal(verbs(admin, unknown).list())).toMatchObject({ code: 404, reason: '' })
    const { code } = await refusal(verbs(admin, core('nothings')).list())
    expect(code).toBe(404)
  })

  test('[C13] pages of a list are of one moment and carry its resourceVersion', async () => {
    const maps = verbs(admin, core('configmaps', await newNamespace(admin)))
    for (const name of ['a', 'b', 'c', 'd', 'e']) await maps.create(configMap(name))
    const first = await maps.list({ limit: '2' })
    expect(first.metadata.continue).toBeTruthy()
    await maps.create(configMap('aa'))
    await maps.create(configMap('cc'))
    await maps.remove('d')

    const second = await maps.list({ limit: '2', continue: first.metadata.continue ?? '' })
    const third = await maps.list({ limit: '2', continue: second.metadata.continue ?? '' })
    const found = [first, second, third].flatMap(({ items }) => items)
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    expect(third.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    expect(third.metadata.continue ?? '').toBe('')
  })

  test('[C14] a list goes on over more objects than one page holds', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    const made = names(501)
    await Promise.all(made.map((name) => maps.create(configMap(name))))
    const { items, versions } = await readAll(resource)
    expect(items.map(({ metadata }) => metadata.name)).toEqual(made)
    const [first, second, ...others] = versions
    expect([second, others]).toEqual([first, []])
  })

  test('[C15] items of a core list come without their type; it is that of the list', async () => {
    const resource = core('configmaps', await newNamespace(admin))
    const maps = verbs(admin, resource)
    await maps.create(configMap('a'))
    const { apiVersion, kind, items } = await maps.list()
    expect({ apiVersion, kind }).toEqual({ apiVersion: 'v1', kind: 'ConfigMapList' })
    expect(items[0]).not.toHaveProperty('kind')
    expect((await readAll(resource)).items[0]).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
    })
  })

  test('[C16] a page whose moment is forgotten is answered 410 Expired', async () => {
    const ranges = verbs(admin, core(forgetful, await newNamespace(admin)))
    for (const name of ['a', 'b', 'c']) await ranges.create({ metadata: { name } })
    const first = await ranges.list({ limit: '1' })
    await ranges.create({ metadata: { name: 'd' } })
    await forgetPast(admin)
    const next = ranges.list({ limit: '1', continue: first.metadata.continue ?? '' })
    const { code, reason } = await refusal(next)
    expect({ code, reason }).toEqual({ code: 410, reason: 'Expired' })
  })

  test('[C17] labels and metadata.name select what is listed', async () => {
    const maps = verbs(admin, core('configmaps', await newNamespace(admin)))
    for (const name of ['a', 'b', 'c']) {
      await maps.create(configMap(name, {}, { labels: { tier: name === 'c' ? 'back' : 'front' } }))
    }
    const found = async (query: Readonly<Record<string, string>>): Promise<string[]> =>
      (await maps.list(query)).items.map(({ metadata }) => metadata.name)
    expect(await found({ labelSelector: 'tier=front' })).toEqual(['a', 'b'])
    expect(await found({ labelSelector: 'tier in (back),tier!=front' })).toEqual(['c'])
    expect(await found({ fieldSelector: 'metadata.name=b' })).toEqual(['b'])
    const { code } = await refusal(maps.list({ fieldSelector: 'data.x=y' }))
    expect(code).toBe(400)
  })

  test('[C18] a list of all namespaces is one list', async () => {
    const [one, other] = [await newNamespace(admin), await newNamespace(admin)]
    for (const namespace of [one, other]) {
      const maps = verbs(admin, core('configmaps', namespace))
      await maps.create(configMap('everywhere', {}, { labels: { suite: 'c17' } }))
    }
    const { items } = await verbs(admin, core('configmaps')).list({ labelSelector: 'suite=c17' })
    expect(items.map(({ metadata }) => metadata.namespace).sort()).toEqual([one, other].sort())
  })
})
