// Thousands of owners of one object, none of which is there. The attacker holds a token of the embedded
// API for a namespace. Afterwards: an object has at most a thousand, and is looked at once for all of
// them, also after a restart.
// Before: 48,000 of them kept it busy for hours, in which nothing else was collected for anybody.
import { expect, onTestFinished, test } from 'vitest'
import { Objects } from '../../src/edge/store/storage/objects.ts'
import { jsonBytes } from '../../src/edge/store/values/jsonBytes.ts'
import { noAdmission } from '../../src/edge/store/write/admission.ts'
import { decoded } from '../../src/edge/store/write/stored.ts'
import { Writes } from '../../src/edge/store/write/writes.ts'
import { newFolder } from '../build/newFolder.ts'
import { WritesStand } from '../build/writesStand.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const missing = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', name: `m${at}`, uid: `u${at}` },
  }))
const held = (name: string, count: number) => ({
  metadata: { name, finalizers: ['berth.dev/x'], ownerReferences: missing(count) },
})

const fail = (error: unknown): void => {
  throw error
}

/** How many writes there were, from now on. */
function countWrites(objects: Objects): () => number {
  let count = 0
  const write = objects.write.bind(objects)
  objects.write = (decide) => {
    count += 1
    return write(decide)
  }
  return () => count
}

test('one more than a thousand are refused', async () => {
  const stand = await WritesStand.start()
  const refused = await stand.create(maps, held('a', 48_000))
  expect([refused.code, refused.body.message]).toEqual([
    422,
    expect.stringMatching(
      'metadata.ownerReferences: Too many: 48000: must have at most 1000 items',
    ),
  ])
  expect((await stand.create(maps, held('a', 1001))).code).toBe(422)
})

test('a thousand are looked for together, also by the next process', async () => {
  const folder = newFolder()
  const first = await WritesStand.start({ folder })
  const writes = countWrites(first.objects)
  expect((await first.create(maps, held('a', 1000))).code).toBe(201)
  await first.writes.settled()
  expect((await first.get(`${maps}/a`)).body.metadata).toHaveProperty('deletionTimestamp')
  expect(writes()).toBeLessThan(10)
  await first.stop()
  const objects = Objects.open(folder)
  const again = countWrites(objects)
  const second = await Writes.start({ objects, admission: noAdmission, failed: fail })
  onTestFinished(async () => {
    await second.stop()
    objects.close()
  })
  await second.settled()
  expect(again()).toBeLessThan(10)
})

test('an object that has more already keeps them, and can lose its finalizers', async () => {
  const stand = await WritesStand.start()
  await stand.create(maps, { metadata: { name: 'a', finalizers: ['berth.dev/x'] } })
  await stand.objects.write((tx) => {
    const stored = tx.get('configmaps', 'default', 'a')
    if (stored === undefined) throw new Error('it was not created')
    const object = decoded(stored)
    const metadata = {
      ...Object(object['metadata']),
      resourceVersion: `${tx.next}`,
      ownerReferences: missing(1001),
    }
    tx.put({ ...stored, revision: tx.next, bytes: jsonBytes({ ...object, metadata }) })
  })
  const more = { metadata: { ownerReferences: missing(1002) } }
  expect((await stand.patch(`${maps}/a`, more)).code).toBe(422)
  const freed = await stand.patch(`${maps}/a`, { metadata: { finalizers: null } })
  expect(freed.code).toBe(200)
})
