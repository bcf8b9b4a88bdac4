// Does dnsmasq understand every server that is written to the file of servers (R13.4)? It would leave
// out, and tell nobody, what it does not.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, inject, test } from 'vitest'
import { dividedOptions } from '../../src/core/policy/names/dnsOptions.ts'

const onDns = test.skipIf(!inject('hasDns'))

const changed: readonly [string, string][] = [
  ['server=192.0.2.1', 'server=192.0.2.1'],
  ['server=192.0.2.1#5353', 'server=192.0.2.1#5353'],
  ['server=2001:db8::1', 'server=2001:db8::1'],
  ['server=/corp.test/192.0.2.1', 'server=/corp.test/192.0.2.1'],
  ['server=/corp.test/example.com/192.0.2.1', 'server=/corp.test/example.com/192.0.2.1'],
  ['server=/corp.test/', 'server=/corp.test/'],
  ['local=/openstack.svc/', 'server=/openstack.svc/'],
  ['rev-server=192.0.2.0/24,192.0.2.1', 'rev-server=192.0.2.0/24,192.0.2.1'],
  ['rev-server=2001:db8::/32,192.0.2.1#53', 'rev-server=2001:db8::/32,192.0.2.1#53'],
]
onDns.each(changed)('[R13.4] %s can change while dnsmasq runs', (line, written) => {
  expect(dividedOptions(`${line}\n`)).toEqual({ servers: `${written}\n`, others: '' })
  expect(understands(line)).toBe(true)
})

const restarted = [
  'server',
  'server=',
  'server=192.0.2.256',
  'server=192.0.2.1#70000',
  'server=/corp.test/192.0.2',
  'server=/corp..test/192.0.2.1',
  'server=192.0.2.1,192.0.2.2',
  'local=openstack.svc',
  'rev-server=192.0.2.0/33,192.0.2.1',
  'rev-server=192.0.2.0/25,192.0.2.1',
  'rev-server=192.0.2.0/24',
  'max-ttl=60',
]
onDns.each(restarted)('[R13.4] %s is tested with the other options', (line) => {
  expect(dividedOptions(`${line}\n`)).toEqual({ servers: '', others: `${line}\n` })
})

/** From what options are made of, so that many are nearly right. */
const pieces = ['/', '#', '.', ',', ':', '@', '*', '-', '0', '1', '53', 'corp', 'test', '192.0.2.1']
const values = fc.array(fc.constantFrom(...pieces, '2001:db8::1', '24'), { maxLength: 8 })

onDns('[R13.4] whatever goes there, dnsmasq understands it', () => {
  const found: string[] = []
  const key = fc.constantFrom('server', 'local', 'rev-server')
  const lines = fc.tuple(key, values).map(([one, more]) => `${one}=${more.join('')}`)
  for (const line of fc.sample(lines, { numRuns: 20_000, seed: 13 })) {
    const { servers } = dividedOptions(`${line}\n`)
    if (servers !== '') found.push(servers.trim())
  }
  expect(found.length).toBeGreaterThan(100)
  expect([...new Set(found)].filter((line) => !understands(line))).toEqual([])
})

const folder = mkdtempSync(join(tmpdir(), 'berth-options-'))
afterAll(() => rmSync(folder, { recursive: true }))

function understands(line: string): boolean {
  const file = join(folder, 'test.cfg')
  writeFileSync(file, `${line}\n`)
  return spawnSync('dnsmasq', ['--test', `--conf-file=${file}`]).status === 0
}
