// Does `berth tenant import` take over what others really run, without moving anything?
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textAt } from '../../src/core/model/json.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { berth } from '../build/terminal.ts'

const real = '../shared/real'
const isHere = existsSync(real)
const inside = (folder: string): readonly string[] =>
  isHere ? readdirSync(join(real, folder)).map((name) => join(folder, name)) : []
const files = [...inside('architecture'), ...inside('install_yamls'), 'infra-operator']

const namesOf = (text: string, kind: string): readonly string[] =>
  parseManifests(text, 'proposal').flatMap((read) => {
    if (!read.ok || textAt(read.manifest.json, 'kind') !== kind) return []
    const { metadata } = read.manifest.json as { metadata: { name: string } }
    return metadata.name
  })

/** Pools in no subnet that their cloud says it has: upstream writes another, or a larger, one. */
const strange: Readonly<Record<string, readonly string[]>> = {
  'architecture/bgp-l3-xl-adoption.yaml': ['ctlplane'],
  'architecture/bgp-l3-xl.yaml': ['ctlplane'],
  'architecture/bgp_dt04_ipv6.yaml': ['ctlplane'],
  'install_yamls/v6': ['designateext'],
}
/** Folders that were generated without anything that says what a cloud's subnets are. */
const withoutSubnets = ['install_yamls/dual', 'architecture/nfv-ovs-dpdk-sriov-adoption.yaml']

describe.skipIf(!isHere)(`tenant import${isHere ? '' : ` (not run: no ${real} here)`}`, () => {
  test.each(files)('[R4.30] %s', async (file) => {
    const { exit, out, err } = await berth(['tenant', 'import', '-f', join(real, file)])
    expect(exit, err).toBe(0)
    const pools = namesOf(out, 'IPAddressPool')
    if (withoutSubnets.includes(file)) {
      expect(namesOf(out, 'Tenant')).toEqual([])
      return
    }
    const clouds = file.endsWith('multi-namespace.yaml')
      ? ['openstack', 'openstack2']
      : [file === 'infra-operator' ? 'default' : 'openstack']
    expect(namesOf(out, 'Tenant')).toEqual(clouds)
    expect(err).toContain('Nothing would move')
    const listed = [...err.matchAll(/^ {2}IPAddressPool\/(\S+):/gm)].map(([, name]) => name)
    expect(listed).toEqual(strange[file] ?? [])
    if (file !== 'infra-operator') expect(pools.length).toBeGreaterThan(1)
  })

  test('[R4.30] both clouds of multi-namespace keep the pools that their control planes name', async () => {
    const file = join(real, 'architecture/multi-namespace.yaml')
    const { out, err } = await berth(['tenant', 'import', '-f', file])
    const labelled = [...out.matchAll(/name: (\S+)\n {2}namespace: metallb-system\n(.*?)spec:/gs)]
    const tenants = labelled.map(([, pool = '', meta = '']) => [
      pool,
      /berth\.dev\/tenant: (\S+)/.exec(meta)?.[1],
    ])
    expect(Object.fromEntries(tenants)).toEqual({
      ...{ ctlplane: 'openstack', internalapi: 'openstack', storage: 'openstack' },
      ...{ tenant: 'openstack', ctlplane2: 'openstack2', internalapi2: 'openstack2' },
      ...{ storage2: 'openstack2', tenant2: 'openstack2' },
    })
    expect(err).toMatch(/Nothing would move: \d\d Services keep their addresses/)
  })
})
