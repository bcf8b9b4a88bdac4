import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/build/newFolder.ts'
import { makeFolders } from './makeFolders.ts'

test('all folders on the way are made, and the first of them is answered', () => {
  const root = newFolder()
  expect(makeFolders(join(root, 'a', 'b', 'c'), 0o700)).toBe(join(root, 'a'))
  expect(statSync(join(root, 'a', 'b')).mode & 0o777).toBe(0o700)
  expect(makeFolders(join(root, 'a', 'b', 'c'))).toBeUndefined()
})

test('a file on the way is an error', () => {
  const root = newFolder()
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolders(join(root, 'file', 'below'))).toThrow('EEXIST')
})

test.skipIf(process.platform !== 'linux')('a folder that cannot be made is an error', () => {
  expect(() => makeFolders('/proc/berth')).toThrow('ENOENT')
})
