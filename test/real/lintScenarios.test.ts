// Does lint read the files that users of OpenStack on Kubernetes have? Every scenario of theirs.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LintFinding } from '../../src/core/policy/lint/lintFinding.ts'
import { berth } from '../build/terminal.ts'

const folder = '../shared/real'
const isHere = existsSync(folder)
const title = isHere ? '' : ` (not run: no ${folder} here)`
const scenarios = isHere ? readdirSync(join(folder, 'architecture')).sort() : ['none']
const onRealFiles = test.skipIf(!isHere)

async function findings(...paths: readonly string[]) {
  const args = paths.flatMap((path) => ['-f', join(folder, path)])
  const { exit, out } = await berth(['lint', ...args, '-o', 'json'])
  const found: LintFinding[] = JSON.parse(out).findings
  return { exit, found }
}

onRealFiles.each(scenarios)(`%s is read to the end${title}`, async (name) => {
  const { exit, found } = await findings(join('architecture', name))
  expect(found.filter(({ code }) => code === 'unreadable')).toEqual([])
  expect([0, 2]).toContain(exit)
})

onRealFiles(`a control plane plans the Services that it asks for${title}`, async () => {
  const file = join(folder, 'architecture/multi-namespace.yaml')
  const { out } = await berth(['plan', '-f', file])
  expect(out).toMatch(/\+ openstack\/keystone-internal +172\.17\.0\.80 {2}from internalapi$/m)
  expect(out).toMatch(/\+ openstack2\/rabbitmq-cell1 +172\.17\.10\.86 {2}from internalapi2$/m)
  expect(out).toContain('Plan: 24 gained, 0 moved, 0 lost, 0 kept, 0 waiting')
})

onRealFiles(`a planned Service is explained, and announced from every node${title}`, async () => {
  const file = join(folder, 'architecture/multi-namespace.yaml')
  const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: worker-0}\n'
  const { out } = await berth(['plan', '-f', file, '-f', '-'], node)
  expect(out).toContain(
    '+ 172.17.0.80 (openstack/keystone-internal) layer2 from worker-0 on internalapi',
  )
  expect(out).not.toContain('not announced')
  const asked = ['explain', 'service', 'openstack/keystone-internal', '-f', file]
  const explained = await berth(asked)
  expect(explained.out).toContain('OpenStackControlPlane/openstack/controlplane asks for it')
})

onRealFiles(`a control plane without its pools waits at every place${title}`, async () => {
  const [sample = ''] = readdirSync(join(folder, 'control-planes'))
  const { exit, found } = await findings(join('control-planes', sample))
  const missing = found.filter(({ code }) => code === 'pool-not-found')
  expect(missing.length).toBeGreaterThan(8)
  expect(new Set(missing.map(({ object }) => object)).size).toBe(1)
  expect(exit).toBe(2)
})

onRealFiles(`everything together: two NetConfigs of one range are found${title}`, async () => {
  const { found } = await findings('.')
  const overlapping = found.filter(({ code }) => code === 'overlap-nodes')
  expect(new Set(overlapping.map(({ object }) => object))).toEqual(
    new Set(['NetConfig/default/netconfig', 'NetConfig/openstack/netconfig']),
  )
})
