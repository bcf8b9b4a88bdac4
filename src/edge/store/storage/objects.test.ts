import { spawnSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { keysOf, stored, textOf } from '../../../../test/build/storedObjects.ts'
import { Bug } from '../../../core/model/bug.ts'
import { Fault } from '../../kube/api/fault.ts'
import { Objects, type ObjectsOptions } from './objects.ts'
import type { Change, Stored } from './stored.ts'

function open(folder = newFolder(), options: ObjectsOptions = {}): Objects {
  const objects = Objects.open(folder, options)
  onTestFinished(() => objects.close())
  return objects
}

const put = (objects: Objects, key: string, given: Partial<Stored> = {}) =>
  objects.write((tx) => tx.put(stored(tx.next, key, given)))
const remove = (objects: Objects, key: string) =>
  objects.write((tx) => tx.remove(stored(tx.next, key)))
const services = { resource: 'services' }
const keys = (objects: Objects) => keysOf(objects.list(services))
const told = ({ type, revision, stored: { name }, before }: Change) =>
  `${revision} ${type} ${name} after ${before?.revision ?? 'nothing'}`

test('an object is kept as it was put, over a restart too', async () => {
  const folder = newFolder()
  const objects = open(folder)
  const given = {
    bytes: Buffer.from('{"text":"Grüße, 港"}'),
    labels: { app: 'web', tier: '' },
    fields: { 'spec.type': 'LoadBalancer' },
    owners: ['uid-1', 'uid-2'],
  }
  await put(objects, 'a/x', given)
  await put(objects, '/node', { resource: 'nodes' })
  const expected = stored(1, 'a/x', given)
  expect(objects.get('services', 'a', 'x')).toEqual(expected)
  objects.close()
  const again = open(folder)
  expect(again.get('services', 'a', 'x')).toEqual(expected)
  expect(again.get('nodes', '', 'node')?.revision).toBe(2)
  expect(again.get('services', 'a', 'y')).toBeUndefined()
  expect(again.get('none', 'a', 'x')).toBeUndefined()
})

test('what nobody has read since a restart can be changed, and is known as it was', async () => {
  const folder = newFolder()
  const objects = open(folder)
  for (const key of ['a/x', 'a/y', 'a/z']) await put(objects, key, { bytes: Buffer.from(key) })
  objects.close()
  const again = open(folder)
  const seen: Change[] = []
  again.watch('services', 3, (change) => seen.push(change))
  const taken = again.write((tx) => {
    tx.put(stored(tx.next, 'a/z', { bytes: Buffer.from('never') }))
    throw new Error('taken back')
  })
  await expect(taken).rejects.toThrow('taken back')
  await put(again, 'a/x', { bytes: Buffer.from('new') })
  await remove(again, 'a/y')
  expect(seen.map(({ before }) => before && textOf(before))).toEqual(['a/x', 'a/y'])
  const texts = (at: number) => {
    const page = again.list({ ...services, at })
    return typeof page === 'string' ? page : page.items.map(textOf)
  }
  expect(texts(3)).toEqual(['a/x', 'a/y', 'a/z'])
  expect(texts(5)).toEqual(['new', 'a/z'])
})

test('what was read stays as it was when all is written anew', async () => {
  const objects = open()
  const names = Array.from({ length: 300 }, (_, index) => `a/x${index}`)
  const write = (fill: string) =>
    Promise.all(names.map((key) => put(objects, key, { bytes: Buffer.alloc(700, fill) })))
  await write('1')
  const page = objects.list(services)
  for (const fill of '23456') await write(fill)
  if (typeof page === 'string') throw new Error(page)
  expect(page.items.every((one) => textOf(one) === '1'.repeat(700))).toBe(true)
})

test('one counter for the whole store; a change says what was before', async () => {
  const objects = open()
  const changes: string[] = []
  objects.watch('services', 0, (change) => changes.push(told(change)))
  await put(objects, 'a/x')
  await put(objects, '/n', { resource: 'nodes' })
  await put(objects, 'a/x')
  await remove(objects, 'a/x')
  await put(objects, 'a/x')
  expect(objects.revision).toBe(5)
  expect(changes).toEqual([
    '1 ADDED x after nothing',
    '3 MODIFIED x after 1',
    '4 DELETED x after 3',
    '5 ADDED x after nothing',
  ])
})

test('writers of one batch see each other, and their answers come when it is durable', async () => {
  const objects = open()
  const count = () => objects.write((tx) => tx.list(services).items.length)
  const counts = await Promise.all([count(), put(objects, 'a/x'), count(), put(objects, 'a/y')])
  expect(counts).toEqual([0, undefined, 1, undefined])
  expect(await objects.write((tx) => tx.next)).toBe(3)
})

test('owners find what is theirs, in the order it was written', async () => {
  const objects = open()
  const owned = () => objects.ownedBy('boss').map(({ name }) => name)
  for (const key of ['a/x', 'b/y', 'a/z']) await put(objects, key, { owners: ['boss', 'other'] })
  await put(objects, 'a/x', { owners: ['boss'] })
  expect(owned()).toEqual(['y', 'z', 'x'])
  await put(objects, 'b/y')
  await remove(objects, 'a/z')
  expect(owned()).toEqual(['x'])
  expect(objects.ownedBy('other')).toEqual([])
})

test('a decision that throws leaves nothing behind', async () => {
  const objects = open()
  await put(objects, 'a/x', { owners: ['boss'] })
  await put(objects, 'a/y')
  const failing = objects.write((tx) => {
    tx.put(stored(tx.next, 'a/x', { bytes: Buffer.from('changed') }))
    tx.put(stored(tx.next, 'a/new', { owners: ['boss'] }))
    tx.remove(stored(tx.next, 'a/y'))
    tx.put(stored(tx.next, 'a/y', { bytes: Buffer.from('back') }))
    throw new RangeError('no')
  })
  await expect(failing).rejects.toThrow(RangeError)
  expect([objects.revision, keys(objects)]).toEqual([2, ['a/x', 'a/y']])
  expect(objects.get('services', 'a', 'x')).toEqual(stored(1, 'a/x', { owners: ['boss'] }))
  expect(objects.ownedBy('boss').map(({ name }) => name)).toEqual(['x'])
})

test('a wrong revision, a removal of nothing and a write after the decision are bugs', async () => {
  const objects = open()
  await expect(objects.write((tx) => tx.put(stored(7, 'a/x')))).rejects.toThrow(Bug)
  await expect(remove(objects, 'a/x')).rejects.toThrow('services x is not there')
  const tx = await objects.write((tx) => tx)
  expect(() => tx.put(stored(tx.next, 'a/x'))).toThrow(Bug)
  await put(objects, 'a/x')
  expect([objects.revision, keys(objects)]).toEqual([1, ['a/x']])
})

test('pages are of the moment of the first; the last has no next', async () => {
  const objects = open()
  for (const name of ['b', 'd', 'f', 'h']) await put(objects, `a/${name}`)
  const query = { ...services, limit: 2 }
  const first = objects.list(query)
  expect(first).toMatchObject({ revision: 4, next: 'a/d', remaining: 2 })
  await remove(objects, 'a/f')
  await put(objects, 'a/c')
  await put(objects, 'a/g')
  await put(objects, 'a/h')
  const second = objects.list({ ...query, at: 4, after: 'a/d' })
  expect(second).toMatchObject({ revision: 4, next: undefined, remaining: undefined })
  expect(keysOf(second)).toEqual(['a/f', 'a/h'])
  expect(keys(objects)).toEqual(['a/b', 'a/c', 'a/d', 'a/g', 'a/h'])
})

test('what is selected is not counted, and a page is filled as far as it goes', async () => {
  const objects = open()
  for (const name of 'abcdefgh') await put(objects, `a/${name}`, { labels: { name } })
  const matches = ({ labels }: Stored) => 'bdf'.includes(labels['name'] ?? '')
  const first = objects.list({ ...services, limit: 2, matches })
  expect([keysOf(first), first]).toMatchObject([
    ['a/b', 'a/d'],
    { next: 'a/d', remaining: undefined },
  ])
  const second = objects.list({ ...services, limit: 2, matches, after: 'a/d' })
  expect([keysOf(second), second]).toMatchObject([['a/f'], { next: undefined }])
})

test('what is before the history is expired, what is not yet is the future', async () => {
  const objects = open(newFolder(), { history: { changes: 2, bytes: 1e6 } })
  for (const name of 'abcd') await put(objects, `a/${name}`)
  const ask = (at: number) => [
    objects.list({ ...services, at }),
    objects.watch('services', at, () => undefined),
  ]
  expect(objects.oldest).toBe(2)
  expect([ask(1), ask(5)]).toEqual([
    ['expired', 'expired'],
    ['future', 'future'],
  ])
  for (const at of [2, 3, 4]) expect(ask(at)).toEqual([expect.any(Object), expect.any(Function)])
})

test('after a restart a watch goes on from the last revision; older ones are expired', async () => {
  const folder = newFolder()
  const before = open(folder)
  for (const name of 'abc') await put(before, `a/${name}`)
  before.close()
  const objects = open(folder)
  const changes: string[] = []
  const sink = (change: Change) => changes.push(told(change))
  expect([objects.oldest, objects.watch('services', 2, sink)]).toEqual([3, 'expired'])
  objects.watch('services', 3, sink)
  await put(objects, 'a/a')
  expect(changes).toEqual(['4 MODIFIED a after 1'])
})

test('watchers hear of a change before its writer continues; one that throws is dropped and reported', async () => {
  const dropped: unknown[] = []
  const objects = open(newFolder(), { onDropped: (error) => dropped.push(error) })
  const changes: string[] = []
  objects.watch('services', 0, () => {
    throw new Error('broken pipe')
  })
  const stop = objects.watch('services', 0, (change) => changes.push(told(change)))
  await put(objects, 'a/x')
  expect(changes).toEqual(['1 ADDED x after nothing'])
  await put(objects, 'a/y')
  if (typeof stop === 'string') throw new Error(stop)
  stop()
  await put(objects, 'a/z')
  expect(changes).toHaveLength(2)
  expect(dropped).toEqual([new Error('broken pipe')])
})

/** Writes until there is no room; answers what was refused. */
async function fill(objects: Objects): Promise<{ refused: unknown; written: number }> {
  for (let written = 0; written < 10_000; written++) {
    try {
      await put(objects, `big/${written}`, { bytes: Buffer.alloc(20_000, 1) })
    } catch (refused) {
      return { refused, written }
    }
  }
  return expect.unreachable()
}

test('on a full disk each writer of the batch is told why, and nothing of it is stored', async () => {
  const folder = newFolder()
  const objects = open(folder, { maxBytes: 1024 * 1024 })
  const published: number[] = []
  await put(objects, 'a/x')
  const { refused, written } = await fill(objects)
  expect(refused).toBeInstanceOf(Fault)
  expect(`${refused}`).toMatch(/berth\.db: no space is left for it .* Free space on its disk/)
  const before = [objects.revision, keys(objects)]
  objects.watch('services', objects.revision, ({ revision }) => published.push(revision))
  const batch = [
    put(objects, 'a/small'),
    put(objects, 'big/new', { bytes: Buffer.alloc(90_000) }),
    objects.write((tx) => tx.get('services', 'a', 'small')?.name),
  ]
  const answers = await Promise.allSettled(batch)
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect([objects.revision, keys(objects), published]).toEqual([...before, []])
  for (let index = 0; index < written / 2; index++) await remove(objects, `big/${index}`)
  await put(objects, 'a/after', { bytes: Buffer.alloc(20_000) })
  const now = keys(objects)
  objects.close()
  expect(keys(open(folder))).toEqual(now)
})

/** A disk of two megabytes; undefined where we may not mount one. */
function smallDisk(): string | undefined {
  const folder = newFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', folder])
  if (mounted.status !== 0) return undefined
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]))
  return folder
}

test('on a full disk writes are refused and reads go on; with room again, so do writes', async ({
  skip,
}) => {
  const disk = smallDisk()
  if (disk === undefined) return skip('no right to mount a disk')
  const objects = open(disk)
  await put(objects, 'a/x')
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(1024 * 1024))
  const { refused } = await fill(objects)
  expect(`${refused}`).toContain('no space is left for it (database or disk is full)')
  expect(keys(objects)).toContain('a/x')
  rmSync(join(disk, 'ballast'))
  await put(objects, 'a/y', { bytes: Buffer.alloc(20_000) })
  const now = keys(objects)
  objects.close()
  expect(keys(open(disk))).toEqual(now)
})

test('under constant load the log is written back and starts over', async () => {
  const folder = newFolder()
  const objects = open(folder)
  const bytes = Buffer.alloc(4000, 1)
  for (let round = 0; round < 60; round++) {
    const names = Array.from({ length: 100 }, (_, index) => `a/${(round * 37 + index) % 500}`)
    await Promise.all(names.map((key) => put(objects, key, { bytes })))
  }
  expect(statSync(join(folder, 'berth.db-wal')).size).toBeLessThan(8 * 1024 * 1024)
})

test('closing writes what waits; afterwards nothing is written', async () => {
  const folder = newFolder()
  const objects = open(folder)
  const written = put(objects, 'a/x')
  objects.close()
  objects.close()
  await written
  await expect(put(objects, 'a/y')).rejects.toThrow('the store is closed')
  expect(keys(open(folder))).toEqual(['a/x'])
})
