// Does lint read the files that users of OpenStack on Kubernetes have? Every scenario of theirs.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conflictsIn } from '../../src/core/policy/lint/lintConflicts.ts'
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

const duplicate = (value: string) => [`invalid NetConfig/openstack/netconfig: ${value}`]
const twice = duplicate('Duplicate value: "192.168.122.0/24"')
/** Ranges of nodes contain their routers: a host without a fixedIP could get such an address. */
const routers = { 'overlap-gateway': 10 }
/** What is an error in them, and nothing else: the operators' webhooks refuse what is `invalid`. */
const errors: Readonly<Record<string, Readonly<Record<string, number>> | readonly string[]>> = {
  'architecture/bgp-l3-xl-adoption.yaml': routers,
  'architecture/bgp-l3-xl.yaml': routers,
  'architecture/dz-storage.yaml': routers,
  'architecture/bgp_dt01.yaml': { 'overlap-gateway': 1 },
  'architecture/bgp_dt04_ipv6.yaml': duplicate('Duplicate value: "subnet2"'),
  'architecture/uni05epsilon-adoption.yaml': twice,
  'architecture/uni05epsilon.yaml': twice,
  'architecture/uni07eta-adoption.yaml': twice,
  'architecture/uni09iota-adoption.yaml': twice,
  'architecture/uni09iota.yaml': twice,
  // Samples to be tried one by one: two are an IPSet of one name with different networks.
  'infra-operator': ['invalid IPSet/default/edpm-compute-0: Forbidden: cannot change'],
  'install_yamls/vlan100': { 'one-subnet-two-vlans': 7 },
}
const installed = isHere ? readdirSync(join(folder, 'install_yamls')).sort() : []
const wholes = [
  ...scenarios.map((name) => `architecture/${name}`),
  ...installed.map((name) => `install_yamls/${name}`),
  'infra-operator',
]

onRealFiles.each(wholes)(`%s: the errors that are there, and no other${title}`, async (path) => {
  const { exit, found } = await findings(path)
  const wrong = conflictsIn(found.filter(({ severity }) => severity === 'error'))
  const invalid = wrong
    .filter(([{ code }]) => code === 'invalid')
    .map(([{ code, object, message }]) => `${code} ${object}: ${message}`)
  const counts: Record<string, number> = {}
  for (const [{ code }] of wrong) counts[code] = (counts[code] ?? 0) + 1
  expect(invalid.length > 0 ? invalid : counts).toEqual(errors[path] ?? {})
  expect(exit).toBe(wrong.length === 0 ? 0 : 2)
})

onRealFiles.each(wholes)(`%s: lint and plan say the same three times${title}`, async (path) => {
  const at = ['-f', join(folder, path)]
  const told: string[] = []
  for (let times = 0; times < 3; times++) {
    const [lint, plan] = [await berth(['lint', ...at]), await berth(['plan', ...at])]
    told.push([lint.exit, lint.out, plan.exit, plan.out, plan.err].join('\n'))
  }
  expect(new Set(told).size).toBe(1)
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
