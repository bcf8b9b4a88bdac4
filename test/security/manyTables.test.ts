// Tables of large objects, by the dozen. The attacker holds a token of the embedded API for a namespace. Afterwards:
// objects are parsed half a megabyte at a time, users take turns, and others are answered in between.
// Before: each table was made in one go, half a second for seven megabytes, and all that were asked for together were made
// one after the other before anybody else was answered.
import { expect, onTestFinished, test } from 'vitest'
import { listReply, objectReply } from '../../src/edge/store/http/forms.ts'
import { Slices } from '../../src/edge/store/http/slices.ts'
import { Kinds } from '../../src/edge/store/kinds/kinds.ts'
import { encoded } from '../../src/edge/store/write/stored.ts'
import { ApiStand } from '../build/apiStand.ts'

const found = new Kinds().find('', 'v1', 'configmaps')
if (found === undefined) throw new Error('there are no ConfigMaps')
const large = (name: string) => ({
  ...{ kind: 'ConfigMap', apiVersion: 'v1', data: {} },
  metadata: {
    name,
    namespace: 'shop',
    managedFields: Array.from({ length: 100_000 }, () => ({ a: 1 })),
  },
})
const stored = encoded({ kind: found.kind, object: large('a'), revision: 1, fields: {} })
const page = { revision: 1, items: Array(8).fill(stored), next: undefined, remaining: undefined }
const showing = { now: () => new Date() }
const viewAs = (as: 'Table' | 'PartialObjectMetadataList') =>
  ({ form: { as, version: 'v1' }, includeObject: 'None' }) as const

/** How often the event loop did other work until then. */
async function roundsUntil(work: Promise<unknown>): Promise<number> {
  let [rounds, isDone] = [0, false]
  void work.then(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    rounds += 1
  }
  return rounds
}

test.each(['Table', 'PartialObjectMetadataList'] as const)(
  'of eight large objects in a list, others are served after each: %s',
  async (as) => {
    const slices = { of: new Slices(), user: 'tenant', isGone: () => false }
    const lists = [1, 2, 3].map(() => listReply(showing, { found, view: viewAs(as), page }, slices))
    expect(await roundsUntil(Promise.all(lists))).toBeGreaterThanOrEqual(23)
  },
)

test('of one user a list is made after the other: each is held until it is whole', async () => {
  const slices = { of: new Slices(), user: 'tenant', isGone: () => false }
  const ask = () => listReply(showing, { found, view: viewAs('Table'), page }, slices)
  const [first = 0, , last = 0] = await Promise.all([1, 2, 3].map(() => roundsUntil(ask())))
  expect(first).toBeLessThan(16)
  expect(last).toBeGreaterThanOrEqual(23)
})

test('nothing more is made of a list whose client is gone', async () => {
  let isGone = false
  const slices = { of: new Slices(), user: 'tenant', isGone: () => isGone }
  const rounds = roundsUntil(listReply(showing, { found, view: viewAs('Table'), page }, slices))
  isGone = true
  expect(await rounds).toBeLessThan(4)
})

test('objects that are asked for one by one are parsed one in each round', async () => {
  const slices = { of: new Slices(), user: 'tenant', isGone: () => false }
  const shown = { found, view: viewAs('Table'), stored, code: 200 }
  const replies = Array.from({ length: 12 }, () => objectReply(showing, shown, slices))
  expect(await roundsUntil(Promise.all(replies))).toBeGreaterThanOrEqual(11)
})

test('who asks for one waits for one of who asks for many', async () => {
  const of = new Slices()
  const over: string[] = []
  const ask = async (user: string) => {
    await listReply(
      showing,
      { found, view: viewAs('Table'), page },
      { of, user, isGone: () => false },
    )
    over.push(user)
  }
  await Promise.all([...['much', 'much', 'much', 'much'].map(ask), ask('little')])
  expect(over.indexOf('little')).toBeLessThan(2)
})

test('a watch of tables tells of each object once', async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const names = ['a', 'b', 'c', 'd']
  for (const name of names) await stand.put('configmaps', large(name))
  const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
  const path = '/api/v1/namespaces/shop/configmaps?watch=1'
  const told: unknown[] = []
  for await (const { object } of stand.events(path, { token: 'tenant', headers })) {
    told.push(Object(object).rows[0].cells[0])
    if (told.length === names.length) break
  }
  expect(told).toEqual(names)
})

test('a watch of tables is told of what it missed in turns, each change once', async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const { objects } = stand
  const after = objects.revision
  const names = ['a', 'b', 'c', 'd']
  for (const name of names) await stand.put('configmaps', large(name))
  const watch = objects.watch.bind(objects)
  let turns = 0
  objects.watch = (resource, from, sink) => {
    if (resource === 'configmaps') turns += 1
    return watch(resource, from, sink)
  }
  const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
  const path = `/api/v1/namespaces/shop/configmaps?watch=1&resourceVersion=${after}`
  const told: unknown[] = []
  for await (const { object } of stand.events(path, { token: 'tenant', headers })) {
    told.push(Object(object).rows[0].cells[0])
    if (told.length === names.length) await stand.put('configmaps', large('live'))
    if (told.length > names.length) break
  }
  expect(told).toEqual([...names, 'live'])
  expect(turns).toBeGreaterThan(names.length)
})
