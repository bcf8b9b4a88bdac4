import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptied } from '../../deploy/release/emptied.ts'
import { newFolder } from '../build/newFolder.ts'

test('a folder that is no release is refused, and keeps what it has', () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'letters'))
  expect(() => emptied(folder)).toThrow('has files but no SHA256SUMS')
  expect(readdirSync(folder)).toEqual(['letters'])
})

test('an earlier release goes, also one that was not finished', () => {
  const folder = join(newFolder(), 'release')
  emptied(folder)
  writeFileSync(join(folder, 'berth-0.0.0.tgz'), 'x')
  emptied(folder)
  expect(existsSync(join(folder, 'berth-0.0.0.tgz'))).toBe(false)
})
