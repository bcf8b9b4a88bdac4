// Hundreds of large objects that go together. The attacker holds a token of the embedded API for a
// namespace. Afterwards: they go in turns of a megabyte, and whether an owner waits for them is known
// without reading them.
// Before: 200 of them went in one turn, whatever they weighed, and held up everybody for minutes.
import { expect, test } from 'vitest'
import type { Objects, Transaction } from '../../src/edge/store/storage/objects.ts'
import type { Stored } from '../../src/edge/store/storage/stored.ts'
import { newFolder } from '../build/newFolder.ts'
import { WritesStand } from '../build/writesStand.ts'

const many = Array.from({ length: 40 }, (_, at) => `m${at}`)
const inDefault = '/api/v1/namespaces/default'
const shop = '/api/v1/namespaces/shop'
const finalizers = ['berth.dev/x']
const large = { text: 'x'.repeat(100_000) }
const megabyte = 1024 * 1024
const slack = 100 * many.length

async function filled(inside: string, metadata: object, folder = newFolder()) {
  const stand = await WritesStand.start({ folder })
  await stand.create('/api/v1/namespaces', { metadata: { name: 'shop' } })
  const { body } = await stand.create(`${inside}/configmaps`, { metadata: { name: 'owner' } })
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: body.metadata.uid }
  const owned = { ownerReferences: [owner], ...metadata }
  for (const name of many) {
    const made = { metadata: { name, ...owned }, data: large }
    expect((await stand.create(`${inside}/configmaps`, made)).code).toBe(201)
  }
  await stand.writes.settled()
  return { stand, owner }
}

/** How many bytes each turn writes or removes, from now on. */
function countWritten(objects: Objects): readonly number[] {
  const counts: number[] = []
  const write = objects.write.bind(objects)
  objects.write = <T>(decide: (tx: Transaction) => T): Promise<T> =>
    write((tx) => {
      let count = 0
      const counted = (done: (stored: Stored) => void) => ({
        value: (stored: Stored) => {
          count += stored.bytes.length
          done(stored)
        },
      })
      const decided = decide(
        Object.create(tx, { put: counted(tx.put), remove: counted(tx.remove) }),
      )
      counts.push(count)
      return decided
    })
  return counts
}

test.each([
  ['after their owner', inDefault, {}, '/configmaps/owner', 'Background'],
  ['before their owner', inDefault, {}, '/configmaps/owner', 'Foreground'],
  ['before their owner, held', inDefault, { finalizers }, '/configmaps/owner', 'Foreground'],
  ['without their owner', inDefault, {}, '/configmaps/owner', 'Orphan'],
  ['with their namespace', shop, {}, '', undefined],
  ['as a collection', inDefault, {}, '/configmaps', undefined],
] as const)('%s, in turns of a megabyte', async (_, inside, metadata, path, propagationPolicy) => {
  const { stand } = await filled(inside, metadata)
  const written = countWritten(stand.objects)
  expect((await stand.remove(`${inside}${path}`, { propagationPolicy })).code).toBe(200)
  await stand.writes.settled()
  const sum = written.reduce((all, one) => all + one, 0)
  expect(sum).toBeGreaterThan(many.length * large.text.length)
  expect(Math.max(...written)).toBeLessThan(megabyte + slack)
  expect(stand.failures).toEqual([])
})

/** Of how many dependents the bytes are read, from now on. */
function countRead(objects: Objects): () => number {
  let count = 0
  const write = objects.write.bind(objects)
  const shown = (stored: Stored): Stored =>
    Object.create(stored, {
      bytes: {
        get: () => {
          count += 1
          return stored.bytes
        },
      },
    })
  objects.write = <T>(decide: (tx: Transaction) => T): Promise<T> =>
    write((tx) => {
      const ownedBy = (uid: string) => tx.ownedBy(uid).map(shown)
      return decide(Object.create(tx, { ownedBy: { value: ownedBy } }))
    })
  return () => count
}

test('one more of an owner that waits does not read all others', async () => {
  const folder = newFolder()
  const { stand: first, owner } = await filled(inDefault, { finalizers }, folder)
  const blocking = [{ ...owner, blockOwnerDeletion: true }]
  const blocks = { name: 'blocks', finalizers, ownerReferences: blocking }
  await first.create(`${inDefault}/configmaps`, { metadata: blocks })
  await first.remove(`${inDefault}/configmaps/owner`, { propagationPolicy: 'Foreground' })
  await first.writes.settled()
  await first.stop()
  // What the next process reads from the disk says it, too.
  const stand = await WritesStand.start({ folder })
  await stand.writes.settled()
  const read = countRead(stand.objects)
  const more = { name: 'more', ownerReferences: blocking }
  await stand.create(`${inDefault}/configmaps`, { metadata: more })
  await stand.writes.settled()
  expect((await stand.get(`${inDefault}/configmaps/more`)).code).toBe(404)
  expect((await stand.get(`${inDefault}/configmaps/owner`)).code).toBe(200)
  expect(read()).toBe(0)
  await stand.patch(`${inDefault}/configmaps/blocks`, { metadata: { finalizers: null } })
  await stand.writes.settled()
  expect((await stand.get(`${inDefault}/configmaps/owner`)).code).toBe(404)
})
