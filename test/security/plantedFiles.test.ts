// Files wait where `berth up` is going to write. The attacker is another user of the machine, and the
// folder is one that both can write to. Afterwards: planted files are refused, or replaced and not
// followed.
// Before: planted keys were used, and links followed.
import { chmodSync, chownSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { folderAt, writePrivate } from '../../src/app/up/folder.ts'
import { readKeys, renewed } from '../../src/app/up/keys.ts'
import { openLog } from '../../src/app/up/upLog.ts'
import { reserve } from '../../src/edge/store/storage/databaseFile.ts'
import { newFolder } from '../build/newFolder.ts'

const keys = JSON.stringify(await renewed(undefined, ['localhost'], new Date()))

function planted(name: string): { readonly victim: string; readonly link: string } {
  const folder = newFolder()
  const [victim, link] = [join(folder, 'victim'), join(folder, name)]
  writeFileSync(victim, 'mine')
  symlinkSync(victim, link)
  return { victim, link }
}

describe('keys.json', () => {
  test('of its owner is read', () => {
    const file = join(newFolder(), 'keys.json')
    writeFileSync(file, keys, { mode: 0o600 })
    expect(readKeys(file)).toBeDefined()
  })

  test('that others can write is refused', () => {
    const file = join(newFolder(), 'keys.json')
    writeFileSync(file, keys)
    chmodSync(file, 0o666)
    expect(() => readKeys(file)).toThrow('can be written by others')
  })

  test('of another user is refused', () => {
    // Only root may give a file away; anybody else finds one of root's.
    const isRoot = process.geteuid?.() === 0
    const file = isRoot ? join(newFolder(), 'keys.json') : '/etc/passwd'
    if (isRoot) {
      writeFileSync(file, keys, { mode: 0o600 })
      chownSync(file, 65_534, 65_534)
    }
    expect(() => readKeys(file)).toThrow('belongs to another user')
  })

  test('that is a link is refused', () => {
    const { link } = planted('keys.json')
    expect(() => readKeys(link)).toThrow('cannot be read')
  })
})

test('a file that is written aside first does not follow a link', () => {
  const { victim, link } = planted('kubeconfig.new')
  writePrivate(link.replace(/\.new$/, ''), 'secret')
  expect(readFileSync(victim, 'utf8')).toBe('mine')
})

test('the place of a backup or a store is made anew, or not at all', () => {
  const { victim, link } = planted('berth.db.1.partial')
  expect(() => reserve(link)).toThrow('EEXIST')
  expect(readFileSync(victim, 'utf8')).toBe('mine')
})

test('the log does not follow a link', () => {
  const { victim, link } = planted('up.log')
  expect(() => openLog(folderAt(join(link, '..')), new Date())).toThrow(link)
  expect(readFileSync(victim, 'utf8')).toBe('mine')
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
})
