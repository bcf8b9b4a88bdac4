// Can a renumbering that was killed after any of its writes be finished, and taken back?
import { expect, test } from 'vitest'
import { folderOf, nowhere } from '../../../../test/build/terminal.ts'
import type { Json } from '../../../core/model/json.ts'
import { recordAt } from '../../../core/model/json.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { rehearse } from '../../../core/sim/renumber/rehearse.ts'
import { renumberPhases } from '../../../core/sim/renumber/renumberPhases.ts'
import { isSeen } from '../../../core/sim/renumber/renumberSeen.ts'
import type { RenumberWrite } from '../../../core/sim/renumber/renumberWrite.ts'
import { type Shift, shiftOf } from '../../../core/sim/renumber/shift.ts'
import { load, newSession } from '../load.ts'

const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }

async function clusterOf(text: string): Promise<Cluster> {
  const session = await newSession(nowhere, settings)
  await load(session, { files: [folderOf({ 'all.yaml': text })], kustomized: [] })
  session.cluster.settle()
  return readAgain(session.cluster)
}

/** As another run finds it: what the API holds, and nothing that was in memory. */
async function readAgain(cluster: Cluster): Promise<Cluster> {
  const session = await newSession(nowhere, settings)
  for (const id of cluster.ids()) {
    const { apiVersion, kind, ...json } = structuredClone(cluster.get(id) ?? {})
    session.cluster.hold({ ...json, apiVersion, kind } as never)
  }
  session.cluster.settle()
  return session.cluster
}

const shift = (from: string, to: string): Shift => {
  const made = shiftOf(from, to)
  if (!made.ok) throw new Error(made.why)
  return made.value
}
const there = shift('172.17.0.0/24', '172.27.0.0/24')
const back = shift('172.27.0.0/24', '172.17.0.0/24')

/** What people see: addresses, requests, ranges, reservations; whose addresses are not counted. */
function stateOf(cluster: Cluster, waiters: readonly string[]): Record<string, Json> {
  const kinds = ['Service', 'Tenant', 'IPAddressPool', 'Address']
  const ids = cluster.ids().filter((id) => kinds.includes(id.split('/')[0] ?? ''))
  const state: Record<string, Json> = {}
  for (const id of ids.sort()) {
    const json = cluster.get(id) ?? {}
    const { annotations = {} } = recordAt(json, 'metadata')
    const { loadBalancer } = recordAt(json, 'status')
    const said = Object.entries(recordAt(json, 'spec')).filter(
      ([, value]) => value?.toString() !== '',
    )
    const text = JSON.stringify(json)
    if (waiters.some((name) => text.includes(`"${name}"`))) continue
    state[id] = { annotations, spec: Object.fromEntries(said), loadBalancer }
  }
  return state
}

function carryOut(cluster: Cluster, writes: readonly RenumberWrite[]): void {
  expect(rehearse(cluster, [{ title: '', writes }], new Map()).refused).toEqual([])
}

async function run(cluster: Cluster, way: Shift): Promise<void> {
  const { phases, refused, targets } = renumberPhases(cluster, way)
  expect(refused).toEqual([])
  const rehearsed = rehearse(await readAgain(cluster), phases, targets)
  expect(rehearsed.refused).toEqual([])
  const all = phases.flatMap((phase) => phase.writes)
  carryOut(cluster, all)
}

let ports = 80
const service = (key: string, annotations = '', spec = ''): string => {
  const [namespace, name] = key.split('/')
  return `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: ${namespace}, annotations: {${annotations}}}
spec: {type: LoadBalancer, ports: [{port: ${ports++}}]${spec === '' ? '' : `, ${spec}`}}
`
}
const pool = (name: string, ...ranges: readonly string[]): string => `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: ${name}, namespace: metallb-system}
spec: {addresses: [${ranges.map((range) => `'${range}'`).join(', ')}]}
`
const address = (ip: string, more = ''): string => `---
apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: ${ip}}
spec: {address: ${ip}${more}}
`
const tenant = (requested: string, from = ''): string => `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: os1}
spec:
  namespaces: {names: [os1]}
  requestedAddresses: ${requested}
  networks:
  - name: internalapi
    cidrs: [172.17.0.0/24]
    gateway: 172.17.0.1${from === '' ? '' : `\n    translateFrom: [${from}]`}
    loadBalancer: [172.17.0.80-172.17.0.90]
`
const pin = (ip: string, more = ''): string => `metallb.io/loadBalancerIPs: '${ip}'${more}`
const key = ', metallb.io/allow-shared-ip: k'

const clusters: Record<string, string> = {
  'a Tenant, and one that translates from it':
    tenant('Strict') +
    tenant('Translate', 'FROM')
      .replaceAll('os1', 'os2')
      .replaceAll('172.17', '172.37')
      .replace('FROM', '172.17.0.0/24') +
    service('os1/pinned', pin('172.17.0.85')) +
    service('os2/pinned', pin('172.17.0.85')) +
    service('os2/free'),
  'a pool with reservations and shared addresses':
    pool('lan', '192.0.2.0/30', '172.17.0.80-172.17.0.90') +
    address('172.17.0.81') +
    address('172.17.0.82', ', reservedFor: {namespace: web, name: later}') +
    address('172.17.0.83', ', reservedFor: {namespace: web, name: kept}') +
    service('web/kept') +
    service('web/pinned', pin('172.17.0.88')) +
    service('web/old', "metallb.universe.tf/loadBalancerIPs: '172.17.0.86'") +
    service('web/field', '', 'loadBalancerIP: 172.17.0.87') +
    service('web/one', pin('172.17.0.85', key)) +
    service('web/two', pin('172.17.0.85', key)) +
    service('web/three', pin('172.17.0.85', key)) +
    service('web/elsewhere', pin('192.0.2.1')),
  'a full pool, and one that waits':
    pool('lan', '172.17.0.80-172.17.0.81') +
    service('web/a') +
    service('web/b') +
    service('web/waiter'),
  ...Object.fromEntries(
    [
      ['Strict', '', pin('172.17.0.85', key)] as const,
      ['Ignore', '', pin('10.9.9.9')] as const,
      ['Translate', '172.16.0.0/24', pin('172.16.0.85', key)] as const,
      ['Translate', '172.16.0.0/24', pin('172.17.0.85', key)] as const,
    ].map(([requested, from, asked]) => [
      `a Tenant with ${requested} ${asked}`,
      tenant(requested, from) +
        service('os1/pinned', asked) +
        service('os1/beside', asked) +
        service('os1/free') +
        service('os1/old', "metallb.universe.tf/loadBalancerIPs: '172.17.0.86'"),
    ]),
  ),
}

test.each(Object.entries(clusters))('[R15.5] killed after any write: %s', async (_, text) => {
  const waiters = ['waiter']
  const whole = await clusterOf(text)
  const first = stateOf(whole, waiters)
  const killed = [await readAgain(whole)]
  for (const write of renumberPhases(whole, there).phases.flatMap((phase) => phase.writes)) {
    carryOut(whole, [write])
    // Something that only the controller writes shows that it has seen it.
    const now = whole.get(write.id)
    if (now?.['kind'] === 'Service' && JSON.stringify(now).includes('"ip":')) {
      expect(JSON.stringify(now)).toContain('metallb.io/ip-allocated-from-pool')
    }
    expect(now === undefined || isSeen(now, now), write.what).toBe(true)
    killed.push(await readAgain(whole))
  }
  const last = stateOf(whole, waiters)
  expect(JSON.stringify(last)).not.toMatch(/renumbering|172\.17\./)
  expect(killed.length).toBeGreaterThan(6)
  for (const [writes, cluster] of killed.entries()) {
    const taken = await readAgain(cluster)
    await run(cluster, there)
    expect(stateOf(cluster, waiters), `on after ${writes} writes`).toEqual(last)
    await run(taken, back)
    expect(stateOf(taken, waiters), `back after ${writes} writes`).toEqual(first)
  }
})

test('[R15.1] the status of a Tenant tells by which spec the controller acts', async () => {
  const text = tenant('Strict').replace('{name: os1}', '{name: os1, generation: 7}')
  const status = recordAt((await clusterOf(text)).get('Tenant/os1'), 'status')
  expect(status['observedGeneration']).toBe(7)
})
