import { expect, test } from 'vitest'
import { newFolder } from '../../../../../test/build/newFolder.ts'
import { WritesStand } from '../../../../../test/build/writesStand.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import type { Objects, Transaction } from '../../storage/objects.ts'
import type { Query } from '../../storage/page.ts'
import { isGoing } from '../stored.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const many = Array.from({ length: 450 }, (_, index) => `m${index}`)
const finalizers = ['berth.dev/x']

async function make(stand: WritesStand, path: string, metadata: JsonObject) {
  const { code, body } = await stand.create(path, { metadata })
  expect(code).toBe(201)
  return body
}
const makeMany = (stand: WritesStand, path: string, metadata: JsonObject) =>
  Promise.all(many.map((name) => make(stand, path, { name, ...metadata })))
const freeMany = (stand: WritesStand, path: string) =>
  Promise.all(
    many.map((name) => stand.patch(`${path}/${name}`, { metadata: { finalizers: null } })),
  )

function left(stand: WritesStand, namespace: string) {
  const page = stand.objects.list({ resource: 'configmaps', namespace })
  if (typeof page === 'string') throw new Error(page)
  return page.items
}

test.each(['Background', 'Foreground'] as const)(
  'what an owner that goes in the %s owns is marked once, however much of it is held',
  async (propagationPolicy) => {
    const stand = await WritesStand.start()
    const { uid } = (await make(stand, maps, { name: 'owner' })).metadata
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }
    const ownerReferences = [{ ...owner, blockOwnerDeletion: true }]
    await makeMany(stand, maps, { ownerReferences, finalizers })
    await stand.remove(`${maps}/owner`, { propagationPolicy })
    await stand.writes.settled()
    const held = left(stand, 'default').filter(({ name }) => name !== 'owner')
    expect(held).toHaveLength(450)
    expect(held.every(isGoing)).toBe(true)
    const { revision } = stand.objects
    await freeMany(stand, maps)
    await stand.writes.settled()
    expect(left(stand, 'default')).toEqual([])
    // What waited for them goes now; else it went at once.
    const ofOwner = propagationPolicy === 'Foreground' ? 1 : 0
    expect(stand.objects.revision - revision).toBe(450 + ofOwner)
  },
)

test('a new dependent of an owner that waits goes before it, too', async () => {
  const stand = await WritesStand.start()
  const { uid } = (await make(stand, maps, { name: 'owner' })).metadata
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }
  const ownerReferences = [{ ...owner, blockOwnerDeletion: true }]
  await make(stand, maps, { name: 'held', ownerReferences, finalizers })
  await stand.remove(`${maps}/owner`, { propagationPolicy: 'Foreground' })
  await make(stand, maps, { name: 'late', ownerReferences })
  await stand.writes.settled()
  expect((await stand.get(`${maps}/late`)).code).toBe(404)
  expect((await stand.get(`${maps}/owner`)).code).toBe(200)
})

test('owners of kinds that are not served are asked about once, at the start', async () => {
  const folder = newFolder()
  const first = await WritesStand.start({ folder })
  const stranger = { apiVersion: 'land.dev/v1', kind: 'Cart', name: 'c', uid: 'u' }
  await makeMany(first, maps, { ownerReferences: [stranger] })
  await first.stop()
  const second = await WritesStand.start({ folder })
  await second.writes.settled()
  expect(left(second, 'default')).toHaveLength(450)
})

test('a namespace full of held objects is looked through a handful at a time, and once', async () => {
  const stand = await WritesStand.start()
  await stand.create('/api/v1/namespaces', { metadata: { name: 'shop' } })
  const inside = '/api/v1/namespaces/shop/configmaps'
  await makeMany(stand, inside, { finalizers })
  const listed = countListed(stand.objects)
  await stand.remove('/api/v1/namespaces/shop')
  await stand.writes.settled()
  expect(left(stand, 'shop').every(isGoing)).toBe(true)
  expect(Math.max(...listed)).toBe(200)
  const seen = listed.reduce((sum, count) => sum + count, 0)
  expect(seen).toBeLessThan(460)
  await freeMany(stand, inside)
  await stand.writes.settled()
  expect((await stand.get('/api/v1/namespaces/shop')).code).toBe(404)
})

/** How many objects each write lists, from now on. */
function countListed(objects: Objects): readonly number[] {
  const counts: number[] = []
  const write = objects.write.bind(objects)
  objects.write = <T>(decide: (tx: Transaction) => T): Promise<T> =>
    write((tx) => {
      let count = 0
      const list = (query: Query) => {
        const page = tx.list(query)
        count += page.items.length
        return page
      }
      const decided = decide(Object.create(tx, { list: { value: list } }))
      counts.push(count)
      return decided
    })
  return counts
}

test('a namespace that is held itself waits, without being written again and again', async () => {
  const stand = await WritesStand.start()
  const shop = '/api/v1/namespaces/shop'
  await stand.create('/api/v1/namespaces', { metadata: { name: 'shop', finalizers } })
  await stand.remove(shop)
  await stand.writes.settled()
  expect((await stand.get(shop)).body.spec).not.toHaveProperty('finalizers')
  const { revision } = stand.objects
  await stand.patch(shop, { metadata: { labels: { a: 'b' } } })
  await stand.writes.settled()
  expect(stand.objects.revision).toBe(revision + 1)
  await stand.patch(shop, { metadata: { finalizers: null } })
  expect((await stand.get(shop)).code).toBe(404)
})

test('what an older program stored blocks its owner as before', async () => {
  const folder = newFolder()
  const first = await WritesStand.start({ folder })
  const { uid } = (await make(first, maps, { name: 'owner' })).metadata
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }
  await make(first, maps, { name: 'free', finalizers, ownerReferences: [owner] })
  const ownerReferences = [{ ...owner, blockOwnerDeletion: true }]
  await make(first, maps, { name: 'blocks', finalizers, ownerReferences })
  await first.writes.stop()
  await first.remove(`${maps}/owner`, { propagationPolicy: 'Foreground' })
  await first.objects.write((tx) => {
    for (const stored of tx.list({ resource: 'configmaps' }).items) {
      // The revision in the bytes does not matter here.
      tx.put({ ...stored, revision: tx.next, deletion: undefined })
    }
  })
  await first.stop()
  const second = await WritesStand.start({ folder })
  await second.writes.settled()
  expect((await second.get(`${maps}/owner`)).code).toBe(200)
  expect(left(second, 'default').filter(isGoing)).toHaveLength(3)
  const blocks = second.objects.get('configmaps', 'default', 'blocks')
  expect(blocks?.deletion).toEqual({ going: 'yes', blocks: [0] })
  await second.patch(`${maps}/blocks`, { metadata: { finalizers: null } })
  await second.writes.settled()
  expect((await second.get(`${maps}/owner`)).code).toBe(404)
  expect((await second.get(`${maps}/free`)).code).toBe(200)
})
