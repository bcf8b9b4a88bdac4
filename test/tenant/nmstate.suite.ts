// Does nmstate take every node policy that we write, and does it mean what we mean (R4.17, R4.27)?
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { simulatorFor } from '../../src/app/cli/scenarios/simulator.ts'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { type Json, recordAt } from '../../src/core/model/json.ts'
import type { View } from '../../src/core/model/view.ts'
import { runScenario } from '../../src/core/sim/runScenario.ts'
import { type Scenario, scenarioOf } from '../../src/core/sim/scenario.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { ip, node } from '../build/announcing.ts'
import { settled } from '../build/hostNodes.ts'
import { nowhere } from '../build/terminal.ts'
import { reported, tenant } from '../build/wires.ts'

const judge = inject('judges').nmstate
const isHere = test.skipIf(judge === '')

type NmstateAnswer = { readonly files?: readonly [string, string][]; readonly error?: string }

function answersOf(states: readonly JsonObject[]): readonly NmstateAnswer[] {
  const input = states.map((state) => `${JSON.stringify(state)}\n`).join('')
  const { stdout } = spawnSync(judge, { input, encoding: 'utf8' })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line): NmstateAnswer => JSON.parse(line))
}

const worker = node('worker-0')
const vlan = {
  cidrs: ['172.17.0.0/24', 'fd00:bbbb::/64'],
  vlan: 20,
  interface: 'enp6s0',
  mtu: 1400,
  hosts: ['172.17.0.5-172.17.0.29', 'fd00:bbbb::5-fd00:bbbb::29'],
}
const bridge = {
  name: 'ctlplane',
  cidrs: ['192.168.122.0/24'],
  interface: 'ospbr',
  hosts: ['192.168.122.100-192.168.122.110'],
}
const red = { ...tenant('red', vlan, bridge), generate: ['HostNetworks'] }
const second = { ...vlan, cidrs: ['172.27.0.0/24'], hosts: ['172.27.0.5-172.27.0.29'] }
const blue = { ...tenant('blue', second), generate: ['HostNetworks'] }
const carries = reported('worker-0', ['ospbr=192.168.122.10/24', 'enp6s0=10.0.0.5/24'])

/** Everything that is written from the first policy until the last is gone. */
function written(): readonly JsonObject[] {
  const nodes = settled(worker, carries, red, blue)
  const all: JsonObject[] = []
  const note = (): void => {
    const object = nodes.objects.get('berth-worker-0')
    if (object !== undefined) all.push(recordAt(recordAt(object, 'spec'), 'desiredState'))
  }
  const change = (view: View): void => {
    note()
    nodes.put(view)
    nodes.decide()
    note()
    nodes.says('berth-worker-0', 'Available')
    nodes.decide()
    note()
  }
  change({ ...red, networks: red.networks.slice(1) })
  change({ ...blue, generate: [] })
  change({ ...red, generate: [] })
  return all
}

isHere('every policy on its way from first to last is one that nmstate takes', () => {
  const states = written()
  expect(states.length).toBeGreaterThan(6)
  expect(answersOf(states).map(({ error }) => error)).toEqual(states.map(() => undefined))
})

/** After each step of each scenario in which tenants want something on nodes. */
async function writtenInScenarios(): Promise<readonly Json[]> {
  const gateFor = gatesOf(await readCrds())
  const folders = ['scenarios', 'conformance'].map((name) => join(import.meta.dirname, '..', name))
  const found = new Map<string, Json>()
  for await (const read of readManifests(folders, nowhere.stdin)) {
    if (!read.ok || !JSON.stringify(read.manifest.json).includes('HostNetworks')) continue
    const scenario = scenarioOf(read.manifest.json)
    for (const state of await statesIn(scenario, gateFor(scenario.bgpMode))) {
      found.set(JSON.stringify(state), state)
    }
  }
  return [...found.values()]
}

async function statesIn(
  scenario: Scenario,
  gate: Parameters<typeof simulatorFor>[1],
): Promise<readonly Json[]> {
  const cluster = simulatorFor(scenario, gate)
  const states: Json[] = []
  const look = async () => {
    const seen = await cluster.look()
    for (const object of seen.all()) {
      if (object['kind'] !== 'NodeNetworkConfigurationPolicy') continue
      states.push(recordAt(recordAt(object, 'spec'), 'desiredState'))
    }
    return seen
  }
  await runScenario(scenario, { ...cluster, look })
  return states
}

isHere('every policy in the scenarios is one that nmstate takes', async () => {
  const states = await writtenInScenarios()
  expect(states.length).toBeGreaterThan(8)
  expect(answersOf(states).map(({ error }) => error)).toEqual(states.map(() => undefined))
})

/** Node worker-0 has its own address on a bridge, by DHCP or not, and a bond. */
function carrying(type: string, isTemporary: boolean) {
  const report = reported('worker-0', ['ospbr=192.168.122.10/24'])
  return {
    ...report,
    interfaces: report.interfaces.map((one) => ({
      ...one,
      type,
      addresses: one.addresses.map((at) => ({ ...at, ...(isTemporary && { isTemporary }) })),
    })),
  }
}

isHere.each([
  ['bridge', false],
  ['bridge', true],
  ['bond', false],
  ['openvswitch', true],
] as const)('a %s that carries the node is not told to be another (DHCP: %s)', (type, isLeased) => {
  const own = node('worker-0', { addresses: [ip('192.168.122.10')] })
  const nodes = settled(own, carrying(type, isLeased), red)
  const stateOfBridge = () => nodes.state('berth-worker-0', 1)
  const whileReported = stateOfBridge()
  nodes.drop('NodeInterfaces', 'worker-0')
  nodes.decide()
  expect(stateOfBridge()).toEqual(whileReported)
  expect(whileReported).not.toHaveProperty('type')
  const [answer] = answersOf([{ interfaces: [whileReported] }])
  expect(answer?.error).toBeUndefined()
  const text = (answer?.files ?? []).map(([, content]) => content).join('\n')
  expect(text).toContain('192.168.122.100/24')
  if (!isLeased) expect(text).toContain('192.168.122.10/24')
})

isHere('it means a VLAN with these addresses, and a bridge that keeps what it has', () => {
  const [first] = answersOf(written())
  const text = (first?.files ?? []).map(([, content]) => content).join('\n')
  const vlanFile = (first?.files ?? []).find(([name]) => name.includes('enp6s0.20'))?.[1] ?? ''
  expect(vlanFile).toContain('type=vlan')
  expect(vlanFile).toContain('parent=enp6s0')
  expect(vlanFile).toContain('id=20')
  expect(vlanFile).toContain('mtu=1400')
  expect(vlanFile).toMatch(/address0=172\.17\.0\.5\/24[\s\S]*address1=172\.27\.0\.5\/24/)
  expect(vlanFile).toContain('fd00:bbbb::5/64')
  expect(text).toMatch(/192\.168\.122\.10\/24[\s\S]*192\.168\.122\.100\/24/)
})

isHere('the judge is one: what makes no sense is refused', () => {
  const address = [{ ip: '172.17.0.5', 'prefix-length': 99 }]
  const bad = { interfaces: [{ name: 'eth1', ipv4: { enabled: true, address } }] }
  expect(answersOf([bad, { interfaces: [{ nmae: 'eth1' }] }])).toMatchObject([
    { error: expect.stringContaining('prefix') },
    { error: expect.any(String) },
  ])
})
