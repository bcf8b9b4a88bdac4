// How are many rows read? The bytes of a handful come as one: for each of them a buffer of its own
// would take as long as all the rest.
import type { DatabaseSync } from 'node:sqlite'
import type { Row } from './memory.ts'

const rowsAtOnce = 256
/** A few large objects should not be in memory together. */
const bytesAtOnce = 256 * 1024

const heads = `
  SELECT revision, resource, namespace, name, uid, tags, length(bytes), crc FROM objects
  WHERE revision > ? ORDER BY revision LIMIT ${rowsAtOnce}`
/** SQLite takes them as text without looking at it, and walks a range of its primary key in order:
 * to demand that order would make it sort. No checksum would fit if it did otherwise. */
const joined = `
  SELECT CAST(group_concat(bytes, '') AS BLOB) AS bytes FROM objects
  WHERE revision BETWEEN ? AND ?`

/** SQLite has checked the types: the table is strict. */
type Columns = [number, string, string, string, string, string, number, number]

/** In the order of their revisions, each with its checksum. */
export function* rowsIn(connection: DatabaseSync): Generator<[row: Row, crc: number]> {
  const [nextHeads, nextBytes] = [connection.prepare(heads), connection.prepare(joined)]
  nextHeads.setReturnArrays(true)
  const headsAfter = (revision: number) => nextHeads.all(revision) as unknown as Columns[]
  for (let found = headsAfter(-1); found.length > 0; found = headsAfter(found.at(-1)?.[0] ?? 0)) {
    for (const handful of handfuls(found)) {
      const [first, last] = [handful[0]?.[0] ?? 0, handful.at(-1)?.[0] ?? 0]
      const { bytes } = nextBytes.get(first, last) as Pick<Row, 'bytes'>
      let start = 0
      for (const [revision, resource, namespace, name, uid, tags, lengthBytes, crc] of handful) {
        const own = bytes.subarray(start, start + lengthBytes)
        yield [{ revision, resource, namespace, name, uid, tags, lengthBytes, bytes: own }, crc]
        start += lengthBytes
      }
    }
  }
}

function* handfuls(found: readonly Columns[]): Generator<readonly Columns[]> {
  let [first, sum] = [0, 0]
  for (const [index, columns] of found.entries()) {
    const lengthBytes = columns[6]
    if (index > first && sum + lengthBytes > bytesAtOnce) {
      yield found.slice(first, index)
      first = index
      sum = 0
    }
    sum += lengthBytes
  }
  yield found.slice(first)
}

export type FetchedRow = Pick<Row, 'uid' | 'bytes'>

/** One of those that were read before. */
export function fetchIn(connection: DatabaseSync): (revision: number) => FetchedRow | undefined {
  const one = connection.prepare('SELECT uid, bytes FROM objects WHERE revision = ?')
  return (revision) => one.get(revision) as FetchedRow | undefined
}
