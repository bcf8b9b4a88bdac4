// Does the macvlan plugin of the distribution take every attachment that we make, and does a pod get
// what the tenant says (R4.16)? Addresses come from a stand-in for whereabouts, which no distribution has.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { recordAt, textAt } from '../../src/core/model/json.ts'
import { madeAttachments } from '../../src/core/policy/made/madeAttachment.ts'
import { worldOf } from '../build/announcing.ts'
import { tenant } from '../build/wires.ts'

const plugins = inject('judges').macvlan
const id = `berth-cni-${process.pid}`
const [node, first, second, stranger] = ['node', 'a', 'b', 'c'].map((one) => `${id}-${one}`)
const spaces = [node, first, second, stranger].filter((one) => one !== undefined)
const folder = mkdtempSync(join(tmpdir(), 'berth-cni-'))

const network = {
  cidrs: ['172.17.0.0/24', 'fd00:bbbb::/64'],
  vlan: 20,
  interface: 'eno1',
  mtu: 1400,
  attachments: ['172.17.0.30-172.17.0.70', 'fd00:bbbb::30-fd00:bbbb::70'],
}
const other = {
  cidrs: ['172.27.0.0/24'],
  vlan: 21,
  interface: 'eno1',
  attachments: ['172.27.0.30-172.27.0.70'],
}
const red = { ...tenant('red', network), generate: ['Attachments'] }
const blue = { ...tenant('blue', other), generate: ['Attachments'] }

/** As Multus hands it to the plugin. */
function configOf(one: typeof red): string {
  const [object] = madeAttachments(worldOf(red, blue), one)
  return textAt(recordAt(object, 'spec'), 'config')
}

const ip = (...args: readonly string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Gives the address that `offset` is from the start, and refuses what whereabouts could not read. */
const whereabouts = `
const { ipam, cniVersion } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
if (process.env.CNI_COMMAND !== 'ADD') process.exit(0)
const ips = (ipam.ipRanges ?? [ipam]).map(({ range, range_start: start, range_end: end }) => {
  if (!range.includes('/') || !start || !end) throw new Error('no range')
  const version = start.includes(':') ? '6' : '4'
  const [, head, last] = /^(.*[.:])([0-9a-f]+)$/.exec(start)
  const base = version === '6' ? 16 : 10
  const host = (parseInt(last, base) + Number(process.env.OFFSET)).toString(base)
  return { version, address: head + host + '/' + range.split('/')[1] }
})
console.log(JSON.stringify({ cniVersion, ips }))
`

function plugin(command: 'ADD' | 'DEL' | 'CHECK', pod: string, config: string, offset = 0): string {
  const env = [
    `CNI_COMMAND=${command}`,
    `CNI_CONTAINERID=${pod}`,
    `CNI_NETNS=/var/run/netns/${pod}`,
    'CNI_IFNAME=internalapi',
    `CNI_PATH=${folder}`,
    `OFFSET=${offset}`,
  ]
  const args = ['netns', 'exec', node ?? '', 'env', ...env, join(plugins, 'macvlan')]
  return execFileSync('ip', args, { encoding: 'utf8', input: config })
}
const pings = (from: string, to: string): boolean => {
  try {
    ip('netns', 'exec', from, 'ping', '-c', '1', '-W', '2', to)
    return true
  } catch {
    return false
  }
}

describe.skipIf(plugins === '')('attachments and the macvlan plugin', () => {
  beforeAll(() => {
    const program = join(folder, 'whereabouts')
    writeFileSync(`${program}.cjs`, whereabouts)
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${program}.cjs\n`)
    chmodSync(program, 0o755)
    for (const space of spaces) {
      ip('netns', 'add', space)
      // The test need not wait for the kernel to be sure of its own addresses.
      ip('netns', 'exec', space, 'sysctl', '-qw', 'net.ipv6.conf.default.accept_dad=0')
    }
    // A pair of veth stands for the interface of a VLAN, and its end for the switch.
    for (const [link, plug] of [
      ['eno1.20', 'wire20'],
      ['eno1.21', 'wire21'],
    ]) {
      ip('-n', node ?? '', 'link', 'add', link ?? '', 'type', 'veth', 'peer', 'name', plug ?? '')
      for (const one of [link, plug]) ip('-n', node ?? '', 'link', 'set', one ?? '', 'up')
    }
  })
  afterAll(() => {
    for (const space of spaces) ip('netns', 'del', space)
    rmSync(folder, { recursive: true })
  })

  test('[R4.16] two pods of a tenant reach each other, in both families, and have no default route', () => {
    const config = configOf(red)
    plugin('ADD', first ?? '', config)
    plugin('ADD', second ?? '', config, 1)
    const shown = ip('-n', first ?? '', 'addr', 'show', 'internalapi')
    expect(shown).toContain('inet 172.17.0.30/24')
    expect(shown).toContain('inet6 fd00:bbbb::30/64')
    expect(shown).toContain('mtu 1400')
    expect(ip('-n', first ?? '', 'route')).not.toContain('default')
    expect(ip('-n', first ?? '', '-6', 'route')).not.toContain('default')
    expect(pings(first ?? '', '172.17.0.31')).toBe(true)
    expect(pings(first ?? '', 'fd00:bbbb::31')).toBe(true)
  })

  test('[R4.16] a pod of another tenant is on another wire', () => {
    plugin('ADD', stranger ?? '', configOf(blue))
    const shown = ip('-n', stranger ?? '', 'addr', 'show', 'internalapi')
    expect(shown).toContain('inet 172.27.0.30/24')
    ip('-n', stranger ?? '', 'route', 'add', '172.17.0.0/24', 'dev', 'internalapi')
    expect(pings(stranger ?? '', '172.17.0.30')).toBe(false)
  })

  test('[R4.16] what it made it takes away again', () => {
    plugin('DEL', second ?? '', configOf(red))
    expect(ip('-n', second ?? '', 'link')).not.toContain('internalapi')
    expect(pings(first ?? '', '172.17.0.31')).toBe(false)
  })
})
