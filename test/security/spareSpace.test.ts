// The disk is full. The attacker fills it, by whatever means. Afterwards: objects can be deleted, and
// only writes that would grow the database are refused.
// Before: nothing could be deleted.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Objects } from '../../src/edge/store/storage/objects.ts'
import { Spare } from '../../src/edge/store/storage/spare.ts'
import { newFolder } from '../build/newFolder.ts'

test('the space is kept from the start, given up, and taken again when there is some', () => {
  const database = join(newFolder(), 'berth.db')
  const spare = new Spare(database, false)
  expect([existsSync(`${database}.spare`), spare.isLow]).toEqual([true, false])
  spare.giveUp()
  expect(existsSync(`${database}.spare`)).toBe(false)
  // There is enough of it here.
  expect([spare.isLow, existsSync(`${database}.spare`)]).toEqual([false, true])
})

const stored = (name: string, revision: number, lengthBytes: number) => ({
  ...{ resource: 'configmaps', namespace: 'a', name, uid: name, revision },
  ...{ bytes: new Uint8Array(lengthBytes), labels: {}, fields: {}, owners: [] },
})

test('a file that may not grow any more still lets objects go', async () => {
  const folder = newFolder()
  const objects = Objects.open(folder, { maxBytes: 400_000, hasSpare: true })
  onTestFinished(() => objects.close())
  const make = (name: string) => objects.write((tx) => tx.put(stored(name, tx.next, 50_000)))
  const names = Array.from({ length: 20 }, (_, at) => `m${at}`)
  const made: string[] = []
  for (const name of names)
    await make(name).then(
      () => made.push(name),
      () => undefined,
    )
  expect(made.length).toBeLessThan(20)
  for (const name of made) {
    await objects.write((tx) => {
      const one = tx.get('configmaps', 'a', name)
      if (one === undefined) throw new Error(`${name} is not there`)
      tx.remove({ ...one, revision: tx.next })
    })
  }
  await make('again')
  rmSync(join(folder, 'berth.db.spare'), { force: true })
})
