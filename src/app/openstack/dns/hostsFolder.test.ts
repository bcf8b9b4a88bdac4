import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { HostsFolder } from './hostsFolder.ts'

const host = '10.0.0.7 both.openstack.svc\n'

function seen(path: string): readonly string[] {
  const files = readdirSync(path).filter((name) => !name.startsWith('.'))
  return files.flatMap((name) => readFileSync(join(path, name), 'utf8').trimEnd().split('\n'))
}

const changedAt = (path: string): number[] =>
  readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .map((name) => statSync(join(path, name)).ctimeMs)

test('[R13.2] a host of two ConfigMaps is in one file, and stays while one of them is there', () => {
  const path = newFolder()
  const folder = new HostsFolder(path)
  folder.put({ name: 'one', text: host })
  folder.put({ name: 'other', text: `${host}fd00:0::7 six.openstack.svc\n` })
  folder.put({ name: 'third', text: 'fd00::7 six.openstack.svc\n' })
  folder.write()
  expect(readdirSync(path).filter((name) => !name.startsWith('.'))).toHaveLength(2)
  folder.remove('one')
  folder.remove('third')
  folder.write()
  expect(seen(path).toSorted()).toEqual([host.trim(), 'fd00:0::7 six.openstack.svc'])
  folder.remove('other')
  folder.write()
  expect(seen(path)).toEqual([])
})

test('[R13.4] one that starts again writes only what differs', () => {
  const path = newFolder()
  const lines = Array.from({ length: 100 }, (_, at) => `10.0.${at}.1 h${at}.openstack.svc\n`)
  const folder = new HostsFolder(path)
  folder.put({ name: 'one', text: lines.join('') })
  folder.put({ name: 'gone', text: '10.9.0.1 gone.openstack.svc\n' })
  folder.write()
  const before = new Set(changedAt(path))
  const again = new HostsFolder(path)
  again.put({ name: 'one', text: lines.with(3, '10.0.3.1 other.openstack.svc\n').join('') })
  again.keepOnly(new Set(['one']))
  again.write()
  expect(changedAt(path).filter((ms) => !before.has(ms))).toHaveLength(1)
  expect(seen(path)).not.toContain('10.9.0.1 gone.openstack.svc')
  expect(seen(path)).toHaveLength(100)
})

test('[R13.4] what is written unseen is there as well, and counts as much before', () => {
  const path = newFolder()
  const many = Array.from({ length: 2_000 }, (_, at) => `10.1.${at >> 8}.${at & 255} m${at}.svc\n`)
  const folder = new HostsFolder(path)
  folder.put({ name: 'few', text: host })
  expect(folder.isMuch).toBe(false)
  folder.write()
  folder.put({ name: 'few', text: '10.0.0.7 another.openstack.svc\n' })
  folder.put({ name: 'many', text: many.join('') })
  expect(folder.isMuch).toBe(true)
  folder.writeUnseen()
  expect(folder.isMuch).toBe(false)
  expect(seen(path)).toHaveLength(2_001)
  expect(seen(path)).toContain('10.0.0.7 another.openstack.svc')
})
