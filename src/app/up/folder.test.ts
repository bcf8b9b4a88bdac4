import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderAt, makeFolder } from './folder.ts'

test('the folder and those above it are made, and unmade', () => {
  const top = mkdtempSync(join(tmpdir(), 'berth-'))
  onTestFinished(() => rmSync(top, { recursive: true }))
  const path = join(top, 'one', 'two')
  const unmake = makeFolder(folderAt(path))
  expect(statSync(path).mode & 0o777).toBe(0o700)
  unmake()
  expect([existsSync(top), existsSync(join(top, 'one'))]).toEqual([true, false])
})

test.skipIf(process.platform !== 'linux')('where nobody can make one, it is said', () => {
  expect(() => makeFolder(folderAt('/proc/berth'))).toThrow('does not exist')
})
