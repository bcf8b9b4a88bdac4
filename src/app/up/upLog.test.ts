import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../test/build/newFolder.ts'
import { folderAt } from './folder.ts'
import { keepShort, openLog } from './upLog.ts'

const long = 'x'.repeat(5_000_000)

test('a log that has become long is rotated, and its writer continues', () => {
  const folder = folderAt(newFolder())
  const { descriptor, isNew, said, close } = openLog(folder, new Date(0))
  onTestFinished(close)
  expect([isNew, said()]).toEqual([true, ''])
  writeSync(descriptor, 'short\n')
  keepShort(folder, descriptor)
  expect([said(), existsSync(`${folder.log}.1`)]).toEqual(['short\n', false])
  writeSync(descriptor, long)
  keepShort(folder, descriptor)
  writeSync(descriptor, 'after\n')
  expect(readFileSync(folder.log, 'utf8')).toBe('after\n')
  expect(readFileSync(`${folder.log}.1`, 'utf8')).toBe(`started at ${time}\nshort\n${long}`)
  expect((statSync(`${folder.log}.1`).mode & 0o777).toString(8)).toBe('600')
})
const time = '1970-01-01T00:00:00.000Z'

test('an instance that logs elsewhere does not rotate the log', () => {
  const folder = folderAt(newFolder())
  const { descriptor, close } = openLog(folder, new Date(0))
  writeSync(descriptor, long)
  close()
  const other = openSync(`${folder.path}/other`, 'a')
  keepShort(folder, other)
  closeSync(other)
  expect(statSync(folder.log).size).toBeGreaterThan(long.length)
})
