// Which hosts share a ledger, and whose addresses do they leave alone (R12.4)?
import { expect, test } from 'vitest'
import { managed } from '../../src/core/model/made.ts'
import { World } from '../../src/core/model/world.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { pool, service } from '../build/announcing.ts'

const madeFrom = { apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', controller: true }
const openstack = 'network.openstack.org/v1beta1'

const namespaceOf = (name: string, wire?: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations: wire === undefined ? {} : { 'berth.dev/wire': wire } },
})

const tenantOf = (name: string, namespaces: readonly string[], network: object) => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name, uid: `u-${name}` },
  spec: {
    namespaces: { names: namespaces },
    networks: [{ name: 'internalapi', cidrs: ['172.17.0.0/24'], ...network }],
  },
})

const configOf = (namespace: string, tenant?: string) => ({
  apiVersion: openstack,
  kind: 'NetConfig',
  metadata: {
    name: 'netconfig',
    namespace,
    ...(tenant === undefined
      ? {}
      : { labels: managed, ownerReferences: [{ ...madeFrom, name: tenant, uid: `u-${tenant}` }] }),
  },
  spec: {
    networks: [
      {
        name: 'internalapi',
        subnets: [
          {
            name: 'subnet1',
            cidr: '172.17.0.0/24',
            allocationRanges: [{ start: '172.17.0.100', end: '172.17.0.150' }],
          },
        ],
      },
    ],
  },
})

const hostIn = (namespace: string, fixedIP?: string) => ({
  apiVersion: openstack,
  kind: 'IPSet',
  metadata: { name: 'c0', namespace, uid: `u-${namespace}` },
  spec: { networks: [{ name: 'internalapi', subnetName: 'subnet1', fixedIP }] },
})

function put(world: World, objects: readonly object[]): void {
  for (const json of objects) {
    const read = decode(json)
    if (read.kind !== 'view') throw new Error(JSON.stringify(read))
    world.apply({ type: 'upsert', view: read.view })
  }
}

function worldWith(...objects: readonly object[]): World {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  put(world, objects)
  return world
}

/** What the host gets, or why it gets none; it counts from then on. */
function given(world: World, namespace: string): string {
  const ipSet = `${namespace}/c0`
  const { nodeIntent, ...rest } = decideIpSet(world, ipSet, { now: '2026-01-01T00:00:00Z' })
  if (nodeIntent !== undefined) world.apply({ type: 'node', ipSet, intent: nodeIntent })
  return nodeIntent?.addresses[0]?.address ?? JSON.stringify(rest)
}

test.each([
  ['one tenant', { interface: 'eth1', vlan: 20 }, ['red', 'red']],
  ['one tenant without an interface', {}, ['red', 'red']],
  ['two tenants', { interface: 'eth1', vlan: 20 }, ['red', 'blue']],
])('[R12.4] %s: what one Namespace names does not part it from the others', (_, link, [a, b]) => {
  const names = { red: ['one'], [b ?? '']: a === b ? ['one', 'two'] : ['two'] }
  const tenants = Object.entries(names).map(([name, of]) => tenantOf(name, of, link))
  const world = worldWith(
    namespaceOf('one', 'trunk'),
    namespaceOf('two'),
    ...tenants,
    configOf('one', a),
    configOf('two', b),
    hostIn('one'),
    hostIn('two'),
  )
  expect([given(world, 'one'), given(world, 'two')]).toEqual(['172.17.0.100', '172.17.0.101'])
})

test('[R12.4] tenants that do not say their interface are on the wire that their Namespaces name', () => {
  const world = worldWith(
    ...['red', 'blue'].flatMap((name) => [
      namespaceOf(name, 'dc1'),
      tenantOf(name, [name], {}),
      configOf(name, name),
      hostIn(name),
    ]),
  )
  expect([given(world, 'red'), given(world, 'blue')]).toEqual(['172.17.0.100', '172.17.0.101'])
})

test.each([
  ['red1', 'dc1', 'a Service of another tenant has it'],
  ['red1', 'dc2', '172.17.0.80'],
  ['blue1', 'dc1', 'Service blue1/web has it'],
])('[R12.4] a host asks for what a Service in %s on wire %s has: %s', (namespace, wire, told) => {
  const world = worldWith(
    namespaceOf('red1', wire),
    namespaceOf('blue1', 'dc1'),
    tenantOf('red', ['red1'], {}),
    tenantOf('blue', ['blue1'], {}),
    configOf('blue1'),
    hostIn('blue1', '172.17.0.80'),
  )
  const view = service('web', ['172.17.0.80'], { namespace, key: `${namespace}/web` })
  world.apply({ type: 'upsert', view: pool('vips', ['172.17.0.80/32']) })
  world.apply({ type: 'upsert', view })
  expect(given(world, 'blue1')).toContain(told)
})

test('[R12.4] on a wire that Namespaces name, the ranges of another tenant are not given', () => {
  const range = { loadBalancer: ['172.17.0.80-172.17.0.89'] }
  const world = worldWith(
    namespaceOf('red1', 'dc1'),
    namespaceOf('blue1', 'dc1'),
    tenantOf('red', ['red1'], range),
    tenantOf('blue', ['blue1'], { cidrs: ['172.17.0.0/24'] }),
    configOf('blue1'),
    hostIn('blue1', '172.17.0.80'),
  )
  expect(given(world, 'blue1')).toContain('address-of-another-tenant')
  put(world, [namespaceOf('red1', 'dc2')])
  expect(world.nodeQueue.pop()).toBe('blue1/c0')
  expect(given(world, 'blue1')).toBe('172.17.0.80')
})

const podAt = (pod: string, namespace = 'kube-system') => ({
  apiVersion: 'whereabouts.cni.cncf.io/v1alpha1',
  kind: 'IPPool',
  metadata: { name: '172.17.0.0-24', namespace },
  spec: { range: '172.17.0.0/24', allocations: { 80: { id: '80', podref: pod } } },
})

test.each([
  ['a Pod of another tenant has it', [podAt('red/db')], {}],
  ['it is a gateway of another tenant', [], { gateway: '172.17.0.80' }],
])('[R12.4] in one subnet by interface and VLAN: %s', (told, objects, more) => {
  const link = { interface: 'eth1', vlan: 20 }
  const givenBeside = (vlan: number): string => {
    const tenants = [
      tenantOf('red', ['red'], { ...link, vlan, ...more }),
      tenantOf('blue', ['blue'], link),
    ]
    const host = [configOf('blue', 'blue'), hostIn('blue', '172.17.0.80')]
    return given(worldWith(...tenants, ...host, ...objects), 'blue')
  }
  expect(givenBeside(20)).toContain(told)
  expect(givenBeside(30)).toBe('172.17.0.80')
})

test('[R12.4] in one subnet by interface and VLAN: a Service of another tenant', () => {
  const red = { interface: 'eth1', vlan: 20, loadBalancer: ['172.17.0.80-172.17.0.89'] }
  const world = worldWith(
    tenantOf('red', ['red'], red),
    tenantOf('blue', ['blue'], { interface: 'eth1.20' }),
    configOf('blue', 'blue'),
    hostIn('blue', '172.17.0.70'),
  )
  // In no range of its tenant, such as one of a pool for everybody.
  const view = service('web', ['172.17.0.70'], { namespace: 'red', key: 'red/web' })
  world.apply({ type: 'upsert', view: pool('vips', ['172.17.0.70/32']) })
  world.apply({ type: 'upsert', view })
  expect(given(world, 'blue')).toContain('a Service of another tenant has it')
  put(world, [tenantOf('red', ['red'], { ...red, vlan: 30 })])
  expect(given(world, 'blue')).toBe('172.17.0.70')
})

test.each([
  ['kube-system', /Pod shop.db has it/],
  ['blue', /Pod shop.db has it/],
  ['red', /^172.17.0.80$/],
])('[R12.3] a host asks for what an IPPool in namespace %s records: %s', (namespace, told) => {
  const tenants = ['red', 'blue'].map((name) => tenantOf(name, [name], {}))
  const host = [configOf('blue', 'blue'), hostIn('blue', '172.17.0.80')]
  const world = worldWith(...tenants, ...host, podAt('shop/db', namespace))
  expect(given(world, 'blue')).toMatch(told)
})

const reserved = (namespace: string) => ({
  apiVersion: openstack,
  kind: 'Reservation',
  metadata: {
    name: 'c0',
    namespace,
    ownerReferences: [{ apiVersion: openstack, kind: 'IPSet', name: 'c0', uid: `u-${namespace}` }],
  },
  spec: {
    ipSetRef: {},
    reservation: {
      internalapi: { network: 'internalapi', subnet: 'subnet1', address: '172.17.0.120' },
    },
  },
})
const claimed = {
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'AddressBlock',
  metadata: { name: 'b', uid: 'b', resourceVersion: '1' },
  spec: {
    wire: 'link/eth1/20',
    first: '172.17.0.0',
    holders: [
      {
        ...{ address: '172.17.0.120', namespace: 'red', name: 'c0', uid: 'u-red' },
        network: 'internalapi',
      },
    ],
  },
}
const shown = {
  ...hostIn('red'),
  status: {
    reservations: [{ network: 'internalapi', subnet: 'subnet1', address: '172.17.0.120' }],
  },
}
const link = { interface: 'eth1', vlan: 20 }
const blueHas = tenantOf('blue', ['blue'], { ...link, nodes: ['172.17.0.120-172.17.0.129'] })
const inOneSubnet = [
  ...[tenantOf('red', ['red'], link), tenantOf('blue', ['blue'], link)],
  ...[configOf('red', 'red'), configOf('blue', 'blue')],
]

test('[R12.4] a Reservation holds back nothing in a range of another tenant', () => {
  const blue = hostIn('blue', '172.17.0.120')
  const world = worldWith(...inOneSubnet, blueHas, reserved('red'), blue)
  expect(given(world, 'blue')).toBe('172.17.0.120')
  put(world, [hostIn('red')])
  expect(given(world, 'red')).toBe('172.17.0.100')
})

test('[R12.4] a Reservation counts as the ranges of other tenants come and go', () => {
  const blue = hostIn('blue', '172.17.0.120')
  const world = worldWith(...inOneSubnet, reserved('red'), blue)
  expect(given(world, 'blue')).toContain('a host of another tenant has 172.17.0.120')
  put(world, [blueHas])
  expect(world.nodes.held.count('link/eth1/20', '172.17.0.120' as Ip)).toBe(0)
  put(world, [tenantOf('blue', ['blue'], link)])
  expect(world.nodes.held.count('link/eth1/20', '172.17.0.120' as Ip)).toBe(1)
})

test.each([
  ['its block claims', [claimed, hostIn('red')]],
  ['its status shows, from before us', [shown]],
])('[R12.4] a host keeps what %s, whatever became of the ranges', (_, objects) => {
  const all = [blueHas, reserved('red'), ...objects, hostIn('blue', '172.17.0.120')]
  for (const some of [all, all.toReversed()]) {
    const world = worldWith(...inOneSubnet, ...some)
    const [held] = world.nodes.held.at('link/eth1/20', '172.17.0.120' as Ip)
    expect(held).toMatchObject({ key: 'red/c0', isReserved: true })
    expect(given(world, 'red')).toBe('172.17.0.120')
    expect(given(world, 'blue')).toContain('node-address-taken')
  }
})
