import { expect, test } from 'vitest'
import { newFolder } from '../../../../../test/build/newFolder.ts'
import { WritesStand } from '../../../../../test/build/writesStand.ts'
import type { Objects } from '../../storage/objects.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
type Owner = { readonly metadata: { readonly name: string; readonly uid: string } }

const ownedBy = (...owners: readonly Owner[]) =>
  owners.map(({ metadata: { name, uid } }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name,
    uid,
    blockOwnerDeletion: true,
  }))

async function make(stand: WritesStand, name: string, metadata: object = {}): Promise<Owner> {
  const { code, body } = await stand.create(maps, { metadata: { name, ...metadata } })
  expect(code).toBe(201)
  return body
}
const isThere = async (stand: WritesStand, name: string) =>
  (await stand.get(`${maps}/${name}`)).code === 200

test('[C67] dependents are deleted after their owner, and theirs in turn', async () => {
  const stand = await WritesStand.start()
  const a = await make(stand, 'a')
  const b = await make(stand, 'b', { ownerReferences: ownedBy(a) })
  await make(stand, 'c', { ownerReferences: ownedBy(b) })
  const free = await make(stand, 'free')
  await make(stand, 'shared', { ownerReferences: ownedBy(a, free) })
  await stand.remove(`${maps}/a`)
  await stand.writes.settled()
  expect(await isThere(stand, 'b')).toBe(false)
  expect(await isThere(stand, 'c')).toBe(false)
  const { body } = await stand.get(`${maps}/shared`)
  expect(body.metadata.ownerReferences).toMatchObject([{ name: 'free' }])
})

test('[C68] an orphaned dependent stays, without its owner', async () => {
  const stand = await WritesStand.start()
  const a = await make(stand, 'a')
  await make(stand, 'b', { ownerReferences: ownedBy(a) })
  const { body } = await stand.remove(`${maps}/a`, { propagationPolicy: 'Orphan' })
  expect(body.metadata.finalizers).toEqual(['orphan'])
  await stand.writes.settled()
  expect(await isThere(stand, 'a')).toBe(false)
  expect((await stand.get(`${maps}/b`)).body.metadata).not.toHaveProperty('ownerReferences')
})

test('in the foreground the owner waits for its dependents, however deep', async () => {
  const stand = await WritesStand.start()
  const a = await make(stand, 'a')
  const b = await make(stand, 'b', { ownerReferences: ownedBy(a) })
  await make(stand, 'c', { ownerReferences: ownedBy(b), finalizers: ['berth.dev/x'] })
  await stand.remove(`${maps}/a`, { propagationPolicy: 'Foreground' })
  await stand.writes.settled()
  expect((await stand.get(`${maps}/a`)).body.metadata.finalizers).toEqual(['foregroundDeletion'])
  expect(await isThere(stand, 'b')).toBe(true)
  await stand.patch(`${maps}/c`, { metadata: { finalizers: null } })
  await stand.writes.settled()
  expect(await Promise.all(['a', 'b', 'c'].map((name) => isThere(stand, name)))).toEqual([
    false,
    false,
    false,
  ])
})

test('an object whose owner does not exist is deleted at once', async () => {
  const stand = await WritesStand.start()
  const another = await make(stand, 'a')
  const stranger = { metadata: { name: 'a', uid: 'gone' } }
  await make(stand, 'lost', { ownerReferences: ownedBy(stranger) })
  await make(stand, 'kept', { ownerReferences: ownedBy(another) })
  const unknown = { apiVersion: 'land.dev/v1', kind: 'Cart', name: 'c', uid: 'u' }
  await make(stand, 'unknown', { ownerReferences: [unknown] })
  await stand.writes.settled()
  expect(await isThere(stand, 'lost')).toBe(false)
  expect(await isThere(stand, 'kept')).toBe(true)
  expect(await isThere(stand, 'unknown')).toBe(true)
})

test('[C69] [C70] a namespace is deleted with its objects, and waits for finalizers', async () => {
  const stand = await WritesStand.start()
  await stand.create('/api/v1/namespaces', { metadata: { name: 'shop' } })
  const inside = '/api/v1/namespaces/shop/configmaps'
  const names = Array.from({ length: 450 }, (_, index) => `m${index}`)
  await Promise.all(names.map((name) => stand.create(inside, { metadata: { name } })))
  await stand.create(inside, { metadata: { name: 'held', finalizers: ['berth.dev/x'] } })
  const { body } = await stand.remove('/api/v1/namespaces/shop')
  expect(body).toMatchObject({ status: { phase: 'Terminating' } })
  await stand.writes.settled()
  const left = stand.objects.list({ resource: 'configmaps', namespace: 'shop' })
  expect(typeof left === 'object' && left.items.map(({ name }) => name)).toEqual(['held'])
  const late = await stand.create(inside, { metadata: { name: 'late' } })
  expect(late.body.details.causes).toMatchObject([{ reason: 'NamespaceTerminating' }])
  await stand.patch(`${inside}/held`, { metadata: { finalizers: null } })
  await stand.writes.settled()
  expect((await stand.get('/api/v1/namespaces/shop')).code).toBe(404)
})

const boats = (plural: string) => ({
  metadata: { name: `${plural}.sea.dev` },
  spec: {
    group: 'sea.dev',
    scope: 'Cluster',
    names: { kind: 'Boat', plural },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
})
const boat = (name: string, metadata: object = {}) => ({
  apiVersion: 'sea.dev/v1',
  kind: 'Boat',
  metadata: { name, ...metadata },
})

test('[C95] a definition goes after its objects; made again, its kind is empty', async () => {
  const stand = await WritesStand.start()
  await stand.create(crds, boats('boats'))
  await stand.create('/apis/sea.dev/v1/boats', boat('a'))
  await stand.create('/apis/sea.dev/v1/boats', boat('b', { finalizers: ['berth.dev/x'] }))
  await stand.remove(`${crds}/boats.sea.dev`)
  await stand.writes.settled()
  expect((await stand.get('/apis/sea.dev/v1/boats/a')).body).toBeUndefined()
  const refused = await stand.create('/apis/sea.dev/v1/boats', boat('c'))
  expect(refused).toMatchObject({ code: 405, body: { reason: 'MethodNotAllowed' } })
  await stand.patch('/apis/sea.dev/v1/boats/b', { metadata: { finalizers: null } })
  await stand.writes.settled()
  expect((await stand.get(`${crds}/boats.sea.dev`)).code).toBe(404)
  expect((await stand.create('/apis/sea.dev/v1/boats', boat('c'))).code).toBe(404)
  await stand.create(crds, boats('boats'))
  const page = stand.objects.list({ resource: 'boats.sea.dev' })
  expect(typeof page === 'object' && page.items).toEqual([])
})

test('a definition waits for names that another one has', async () => {
  const stand = await WritesStand.start()
  await stand.create(crds, boats('boats'))
  const { body } = await stand.create(crds, boats('ships'))
  expect(body.status.conditions).toMatchObject([
    { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict' },
    { type: 'Established', status: 'False', reason: 'NotAccepted' },
  ])
  expect(stand.writes.kinds.get('ships.sea.dev')).toBeUndefined()
  await stand.remove(`${crds}/boats.sea.dev`)
  await stand.writes.settled()
  expect(stand.writes.kinds.get('ships.sea.dev')?.kind).toBe('Boat')
})

const hourMs = 3_600_000

test('an event is forgotten an hour after it was last written', async () => {
  let nowMs = Date.parse('2026-01-02T03:00:00Z')
  const folder = newFolder()
  const now = () => new Date(nowMs)
  const events = '/api/v1/namespaces/default/events'
  const event = (name: string) => ({
    metadata: { name },
    involvedObject: { kind: 'Service', namespace: 'default', name: 'web' },
  })
  const names = async (stand: WritesStand) => {
    await stand.writes.settled()
    const page = stand.objects.list({ resource: 'events' })
    return typeof page === 'object' && page.items.map(({ name }) => name)
  }
  const first = await WritesStand.start({ folder, now })
  for (const name of ['a', 'b', 'c']) await first.create(events, event(name))
  nowMs += hourMs / 2
  await first.patch(`${events}/b`, { count: 2 })
  await first.stop()
  nowMs += hourMs / 2
  // What a new process knows is what the events themselves tell.
  const second = await WritesStand.start({ folder, now })
  expect(await names(second)).toEqual(['b'])
  await second.stop()
  nowMs += hourMs / 2
  expect(await names(await WritesStand.start({ folder, now }))).toEqual([])
})

test.each([
  ['itself', ['a']],
  ['each other', ['a', 'b']],
  ['each other in a ring', ['a', 'b', 'c']],
])('in the foreground, objects that own %s go, too', async (_, names) => {
  const stand = await WritesStand.start()
  const made: Owner[] = []
  for (const name of names) made.push(await make(stand, name))
  for (const [at, name] of names.entries()) {
    const owner = made[(at + 1) % made.length]
    const metadata = { ownerReferences: owner && ownedBy(owner) }
    expect((await stand.patch(`${maps}/${name}`, { metadata })).code).toBe(200)
  }
  await stand.remove(`${maps}/a`, { propagationPolicy: 'Foreground' })
  await stand.writes.settled()
  for (const name of names) expect(await isThere(stand, name)).toBe(false)
})

test('unfinished work is done by the next process', async () => {
  const folder = newFolder()
  const first = await WritesStand.start({ folder })
  const a = await make(first, 'a')
  const b = await make(first, 'b', { finalizers: ['berth.dev/x'] })
  await make(first, 'of-a', { ownerReferences: ownedBy(a) })
  await make(first, 'of-b', { ownerReferences: ownedBy(b) })
  await first.create('/api/v1/namespaces', { metadata: { name: 'shop' } })
  await first.create('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'm' } })
  // As if it was killed before any of what follows could begin.
  await first.writes.stop()
  await first.remove(`${maps}/a`)
  await first.remove(`${maps}/b`, { propagationPolicy: 'Orphan' })
  await first.remove('/api/v1/namespaces/shop')
  expect(await isThere(first, 'of-a')).toBe(true)
  first.objects.close()
  const second = await WritesStand.start({ folder })
  await second.writes.settled()
  expect(await isThere(second, 'of-a')).toBe(false)
  expect((await second.get(`${maps}/of-b`)).body.metadata).not.toHaveProperty('ownerReferences')
  expect((await second.get('/api/v1/namespaces/shop')).code).toBe(404)
})

test('a fault of the disk is reported, and the interrupted work done later', async () => {
  const stand = await WritesStand.start()
  const a = await make(stand, 'a')
  await make(stand, 'b', { ownerReferences: ownedBy(a) })
  const write = stand.objects.write.bind(stand.objects)
  let isBroken = false
  stand.objects.write = ((decide: Parameters<Objects['write']>[0]) =>
    isBroken ? Promise.reject(new Error('disk full')) : write(decide)) as Objects['write']
  const removing = stand.remove(`${maps}/a`)
  // What follows from it is begun while it is decided.
  isBroken = true
  await removing
  await stand.writes.settled()
  expect(stand.failures).toHaveLength(1)
  isBroken = false
  await expect.poll(() => isThere(stand, 'b'), { timeout: 5_000 }).toBe(false)
})

test('every namespace has an account for its Pods, also after it was deleted', async () => {
  const accounts = (namespace: string) => `/api/v1/namespaces/${namespace}/serviceaccounts/default`
  const stand = await WritesStand.start()
  expect((await stand.get(accounts('kube-system'))).code).toBe(200)
  await stand.create('/api/v1/namespaces', { metadata: { name: 'shop' } })
  await stand.writes.settled()
  const { uid } = (await stand.get(accounts('shop'))).body.metadata
  await stand.remove(accounts('shop'))
  await stand.writes.settled()
  const again = await stand.get(accounts('shop'))
  expect(again.code).toBe(200)
  expect(again.body.metadata.uid).not.toBe(uid)
  await stand.remove('/api/v1/namespaces/shop')
  await stand.writes.settled()
  expect((await stand.get('/api/v1/namespaces/shop')).code).toBe(404)
  expect((await stand.get(accounts('shop'))).code).toBe(404)
})
