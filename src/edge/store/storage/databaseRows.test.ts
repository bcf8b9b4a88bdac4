import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fetchIn, rowsIn } from './databaseRows.ts'

function databaseWith(all: readonly Uint8Array[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE objects (
    revision INTEGER PRIMARY KEY, resource TEXT, namespace TEXT, name TEXT, uid TEXT, tags TEXT,
    bytes BLOB, crc INTEGER) STRICT`)
  const insert = db.prepare(`INSERT INTO objects VALUES (?, 'pods', 'a', ?, ?, '[]', ?, ?)`)
  for (const [index, bytes] of all.entries()) {
    insert.run(index * 2 + 1, `p${index}`, `u${index}`, bytes, index)
  }
  return db
}

const read = (db: DatabaseSync) =>
  [...rowsIn(db)].map(([{ revision, name, uid, bytes, lengthBytes }, crc]) => {
    expect(lengthBytes).toBe(bytes.length)
    return { revision, name, uid, bytes: Buffer.from(bytes).toString('hex'), crc }
  })

const written = (all: readonly Uint8Array[]) =>
  all.map((bytes, index) => ({
    revision: index * 2 + 1,
    name: `p${index}`,
    uid: `u${index}`,
    bytes: Buffer.from(bytes).toString('hex'),
    crc: index,
  }))

test('each row has its own bytes, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 40 }), (all) => {
      expect(read(databaseWith(all))).toEqual(written(all))
    }),
    { numRuns: 50 },
  )
})

test.each([
  { what: 'more than come at once', sizes: Array.from({ length: 600 }, (_, index) => index % 7) },
  { what: 'large among small', sizes: [1, 300_000, 0, 200_000, 200_000, 2, 400_000, 400_000] },
])('$what', ({ sizes }) => {
  const all = sizes.map((size, index) => new Uint8Array(size).fill(index))
  expect(read(databaseWith(all))).toEqual(written(all))
})

test('one is fetched by its revision', () => {
  const fetch = fetchIn(databaseWith([Buffer.from('one'), Buffer.from('two')]))
  expect(fetch(3)).toMatchObject({ uid: 'u1', bytes: new Uint8Array(Buffer.from('two')) })
  expect(fetch(2)).toBeUndefined()
})
