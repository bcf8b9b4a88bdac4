import {
  chmodSync,
  existsSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { keysOf, stored } from '../../../../test/build/storedObjects.ts'
import { Fault } from '../../kube/api/fault.ts'
import { restore } from './backup.ts'
import { ownName } from './databaseFile.ts'
import { Objects } from './objects.ts'
import { InUse } from './storeFault.ts'

const put = (objects: Objects, key: string) =>
  objects.write((tx) => tx.put(stored(tx.next, key, { bytes: Buffer.alloc(3000, key) })))

/** A store of its own, with these keys, and a file to back it up to. */
async function newStore(...keys: string[]) {
  const folder = newFolder()
  const objects = Objects.open(join(folder, 'data'))
  for (const key of keys) await put(objects, key)
  return { objects, data: join(folder, 'data'), file: join(folder, 'backup.db'), folder }
}

function contentOf(data: string) {
  const objects = Objects.open(data)
  const { revision } = objects
  const keys = keysOf(objects.list({ resource: 'services' }))
  objects.close()
  return { revision, keys }
}

test('a backup becomes a store, at a revision that no client has seen', async () => {
  const { objects, file, folder } = await newStore('a/x', 'a/y')
  await objects.backup(file)
  await put(objects, 'a/z')
  objects.close()
  restore(file, join(folder, 'other'))
  expect(contentOf(join(folder, 'other'))).toEqual({ revision: 1_000_002, keys: ['a/x', 'a/y'] })
  expect(readdirSync(join(folder, 'other'))).toEqual(['berth.db'])
})

test('it is for this user alone, one file, and is only read when it is restored', async () => {
  const { objects, file, folder } = await newStore('a/x')
  await objects.backup(file)
  objects.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).sort()).toEqual(['backup.db', 'data'])
  chmodSync(file, 0o400)
  restore(file, join(folder, 'other'))
  expect(contentOf(join(folder, 'other'))).toEqual({ revision: 1_000_001, keys: ['a/x'] })
})

test('writes go on meanwhile, and the copy is of one moment', async () => {
  const { objects, file, folder } = await newStore()
  await Promise.all(Array.from({ length: 2000 }, (_, index) => put(objects, `a/x${index}`)))
  let isMade = false
  const made = objects.backup(file).then(() => {
    isMade = true
  })
  let writes = 0
  while (!isMade) {
    // Two in one decision: a copy with one of them would be half of it.
    await objects.write((tx) => {
      tx.put(stored(tx.next, `b/${writes}`))
      tx.put(stored(tx.next, `c/${writes}`))
    })
    writes++
  }
  await made
  objects.close()
  expect(writes).toBeGreaterThan(0)
  restore(file, join(folder, 'other'))
  const { keys } = contentOf(join(folder, 'other'))
  const [b, c] = ['b/', 'c/'].map((start) => keys.filter((key) => key.startsWith(start)))
  expect(b?.length).toBe(c?.length)
})

test('an existing file is overwritten only on request', async () => {
  const { objects, file, folder } = await newStore('a/x')
  writeFileSync(file, 'precious')
  await expect(objects.backup(file)).rejects.toThrow('it already exists')
  await objects.backup(file, { overwrite: true })
  objects.close()
  restore(file, join(folder, 'other'))
  expect(contentOf(join(folder, 'other'))).toEqual({ revision: 1_000_001, keys: ['a/x'] })
})

test('the store itself is never overwritten, whatever it is called', async () => {
  const { objects, data, file } = await newStore('a/x')
  symlinkSync(join(data, 'berth.db'), file)
  await expect(objects.backup(file, { overwrite: true })).rejects.toThrow('it is the store itself')
  objects.close()
})

test('leftovers of an earlier attempt do no harm; two backups wait for each other', async () => {
  const { objects, file, folder } = await newStore('a/x')
  writeFileSync(ownName(file), 'torn')
  const [, second] = await Promise.allSettled([objects.backup(file), objects.backup(file)])
  expect(second?.status).toBe('rejected')
  objects.close()
  expect(readdirSync(folder).sort()).toEqual(['backup.db', 'data'])
})

test('a missing folder is a Fault, and the store continues', async () => {
  const { objects, folder } = await newStore('a/x')
  const nowhere = join(folder, 'none', 'backup.db')
  await expect(objects.backup(nowhere)).rejects.toThrow(Fault)
  await expect(objects.backup(nowhere)).rejects.toThrow('the file or its folder does not exist')
  await put(objects, 'a/y')
  objects.close()
})

test('a backup that is being made is finished when the store closes', async () => {
  const { objects, file, folder } = await newStore()
  await Promise.all(Array.from({ length: 2000 }, (_, index) => put(objects, `a/x${index}`)))
  const made = objects.backup(file)
  await new Promise((resolve) => setImmediate(resolve))
  objects.close()
  expect(existsSync(file)).toBe(false)
  await made
  restore(file, join(folder, 'other'))
  expect(contentOf(join(folder, 'other')).keys).toHaveLength(2000)
})

test('a store that is closed makes no backup', async () => {
  const { objects, file, folder } = await newStore('a/x')
  objects.close()
  await expect(objects.backup(file)).rejects.toThrow(Fault)
  expect(readdirSync(folder)).toEqual(['data'])
})

test('data is replaced only on request, and kept beside the new', async () => {
  const { objects, file, data } = await newStore('a/x')
  await objects.backup(file)
  for (const key of ['a/y', 'a/z']) await put(objects, key)
  objects.close()
  expect(() => restore(file, data)).toThrow('the folder already has data')
  expect(contentOf(data)).toEqual({ revision: 3, keys: ['a/x', 'a/y', 'a/z'] })
  restore(file, data, { replace: true })
  // Not from the revision of the backup, but from the last that a client can have seen.
  expect(contentOf(data)).toEqual({ revision: 1_000_003, keys: ['a/x'] })
  expect(readdirSync(data).sort()).toEqual(['berth.db', 'berth.db.replaced'])
})

test('a damaged store is replaced too, and its log does not touch the new one', async () => {
  const { objects, file, data } = await newStore('a/x')
  await objects.backup(file)
  objects.close()
  const target = join(data, 'berth.db')
  truncateSync(target)
  writeFileSync(`${target}-wal`, 'old log')
  restore(file, data, { replace: true })
  expect(contentOf(data)).toEqual({ revision: 1_000_001, keys: ['a/x'] })
  expect(readdirSync(data).sort()).toEqual([
    'berth.db',
    'berth.db.replaced',
    'berth.db.replaced-wal',
  ])
})

test('a store in use is not replaced', async () => {
  const { objects, file, data } = await newStore('a/x')
  await objects.backup(file)
  expect(() => restore(file, data, { replace: true })).toThrow(InUse)
  await put(objects, 'a/y')
  objects.close()
  expect(contentOf(data)).toEqual({ revision: 2, keys: ['a/x', 'a/y'] })
})

test.each([
  { title: 'does not exist', harm: undefined, why: 'the file or its folder does not exist' },
  { title: 'is no backup', harm: (file: string) => writeFileSync(file, 'x'), why: 'not a file of' },
  { title: 'is cut', harm: (file: string) => truncateSync(file, 9000), why: 'it is damaged' },
  {
    title: 'is the file of a store that crashed',
    harm: (file: string) => writeFileSync(`${file}-wal`, 'log'),
    why: 'not a backup',
  },
])('a backup that $title leaves the folder as it is', async ({ harm, why }) => {
  const { objects, file, data } = await newStore('a/x')
  if (harm !== undefined) await objects.backup(file)
  harm?.(file)
  objects.close()
  const tryIt = () => restore(file, data, { replace: true })
  expect(tryIt).toThrow(Fault)
  expect(tryIt).toThrow(`${file}: `)
  expect(tryIt).toThrow(why)
  expect(contentOf(data)).toEqual({ revision: 1, keys: ['a/x'] })
  expect(readdirSync(data)).toEqual(['berth.db'])
})
