// Is a node ever cut off by what tenants want on it (R4.17, R4.27)? Policies are written, and
// nmstate says of each when the test says so.
import { describe, expect, test } from 'vitest'
import type { NodeInterfaces } from '../../src/core/model/node.ts'
import { tenants } from '../../src/core/policy/decideTenant.ts'
import { problems } from '../../src/core/policy/problems.ts'
import { ip, node } from '../build/announcing.ts'
import { generationOf, interfaces, Nodes, settled, viewOf } from '../build/hostNodes.ts'
import { reported, tenant } from '../build/wires.ts'

const internalapi = {
  cidrs: ['172.17.0.0/24'],
  vlan: 20,
  interface: 'enp6s0',
  hosts: ['172.17.0.5-172.17.0.29'],
}
const red = { ...tenant('red', internalapi), generate: ['HostNetworks'] }
const ctlplane = { name: 'ctlplane', cidrs: ['192.168.122.0/24'], interface: 'ospbr' }
const untagged = {
  ...tenant('red', { ...ctlplane, hosts: ['192.168.122.100-192.168.122.110'] }),
  generate: ['HostNetworks'],
}

const [one, other] = [node('worker-0'), node('worker-1')]
const [first, second] = ['berth-worker-0', 'berth-worker-1']

test('[R4.27] the next node is changed when nmstate has done the last', () => {
  const nodes = new Nodes(one, other, red)
  expect(nodes.decide()).toEqual([`${first} enp6s0.20=172.17.0.5/24`])
  expect(nodes.decide()).toEqual([])
  nodes.says(first, 'Progressing')
  expect(nodes.decide()).toEqual([])
  nodes.says(first, 'Available')
  expect(nodes.decide()).toEqual([`${second} enp6s0.20=172.17.0.6/24`])
})

test('[R4.27] what nmstate could not do stops there, and is told', () => {
  const nodes = new Nodes(one, other, red)
  nodes.decide()
  nodes.says(first, 'Degraded')
  expect(nodes.decide()).toEqual([])
  const [status] = tenants.decide(nodes.world, 'red').writes
  expect(status).toMatchObject({
    conditions: { Ready: { status: 'False', reason: 'Refused' } },
    fields: {
      objects: [
        { name: first, state: 'Refused', message: 'nmstate: as asked' },
        {
          name: second,
          state: 'Waiting',
          message:
            'Node/worker-0 comes first, where nmstate failed at 2026-01-01T00:00:00Z: as asked',
        },
      ],
    },
  })
})

test.each([
  [
    'Progressing',
    'nmstate has been at work since 2026-01-01T00:00:00Z; if that node is gone for good',
  ],
  [undefined, 'nmstate has not reported the last change; if that node is gone for good'],
] as const)('[R4.27] a node that is %s for ever is named to those behind it', (says, why) => {
  const nodes = new Nodes(one, other, red)
  nodes.decide()
  if (says !== undefined) nodes.says(first, says)
  const [status] = tenants.decide(nodes.world, 'red').writes
  expect(status).toMatchObject({
    fields: {
      objects: [
        { name: first, state: 'Waiting' },
        {
          name: second,
          state: 'Waiting',
          message: expect.stringContaining(`worker-0 comes first, where ${why}`),
        },
      ],
    },
  })
})

test.each([
  ['Progressing', 'nmstate has been at work since 2026-01-01T00:00:00Z; if this node is gone'],
  ['Degraded', 'nmstate failed at 2026-01-01T00:00:00Z: as asked'],
  [undefined, 'nmstate has not reported the last change; if this node is gone'],
] as const)('[R4.27] the node that is %s itself does not wait for itself', (says, why) => {
  const nodes = new Nodes(one, other, red)
  nodes.decide()
  if (says !== undefined) nodes.says(first, says)
  const moved = tenant('red', { ...internalapi, hosts: ['172.17.0.50-172.17.0.60'] })
  nodes.put({ ...moved, generate: ['HostNetworks'] })
  const [status] = tenants.decide(nodes.world, 'red').writes
  expect(status).toMatchObject({
    fields: {
      objects: [
        { name: first, state: 'Waiting', message: expect.stringMatching(`^${why}`) },
        { name: second, message: expect.stringMatching('^Node/worker-0 comes first') },
      ],
    },
  })
})

test('[R4.27] a policy that was edited is not done because the one before was', () => {
  const nodes = new Nodes(one, other, red)
  nodes.decide()
  nodes.says(first, 'Available')
  nodes.recorded('worker-0', 0)
  expect(nodes.decide()).toEqual([])
  nodes.recorded('worker-0', generationOf(nodes.objects.get(first)))
  expect(nodes.decide()).toHaveLength(1)
})

test('[R4.27] an interface that goes is absent first, then the policy goes', () => {
  const nodes = settled(one, other, red)
  nodes.put({ ...red, generate: [] })
  expect(nodes.decide()).toEqual([`${first} -enp6s0.20`])
  nodes.says(first, 'Progressing')
  expect(nodes.decide()).toEqual([])
  nodes.says(first, 'Available')
  expect(nodes.decide()).toEqual([`delete ${first}`, `${second} -enp6s0.20`])
  nodes.says(second, 'Available')
  expect(nodes.decide()).toEqual([`delete ${second}`])
})

describe('[R4.27] an interface that is in use', () => {
  const carries = reported('worker-0', ['ospbr=192.168.122.10/24'])
  const bridge = {
    ...carries,
    interfaces: carries.interfaces.map((each) => ({ ...each, type: 'bridge' })),
  }

  test('gets addresses added and nothing taken, and keeps its type', () => {
    const nodes = new Nodes(one, bridge, untagged)
    expect(nodes.decide()).toEqual([`${first} ospbr=192.168.122.10/24+192.168.122.100/24`])
    expect(nodes.state(first)).toEqual({
      name: 'ospbr',
      state: 'up',
      ipv4: {
        enabled: true,
        address: [
          { ip: '192.168.122.10', 'prefix-length': 24 },
          { ip: '192.168.122.100', 'prefix-length': 24 },
        ],
      },
    })
  })

  test('keeps what it had, though a report does not show it just now', () => {
    const nodes = settled(one, bridge, untagged)
    nodes.put({ ...bridge, interfaces: [], occupied: [] })
    expect(nodes.decide()).toEqual([])
    expect(interfaces(nodes.objects.get(first) ?? {})).toContain('192.168.122.10/24')
  })

  test('has what it had, and stays, when the network goes', () => {
    const nodes = settled(one, bridge, untagged)
    nodes.put({ ...untagged, generate: [] })
    expect(nodes.decide()).toEqual([`${first} ospbr=192.168.122.10/24`])
    expect(nodes.state(first)).toMatchObject({ state: 'up' })
    nodes.says(first, 'Available')
    expect(nodes.decide()).toEqual([`delete ${first}`])
  })

  const leased = (report: NodeInterfaces) => ({
    ...report,
    interfaces: report.interfaces.map((each) => ({
      ...each,
      addresses: each.addresses.map((at) => ({ ...at, isTemporary: true as const })),
    })),
  })

  test('is not made static by us where DHCP gives its address', () => {
    const nodes = new Nodes(one, leased(bridge), untagged)
    expect(nodes.decide()).toEqual([`${first} ospbr=192.168.122.100/24`])
    expect(nodes.state(first)['ipv4']).not.toHaveProperty('dhcp')
  })

  test('stays as it was written when nobody reports it any more', () => {
    const nodes = settled(one, leased(bridge), untagged)
    const before = nodes.state(first)
    nodes.drop('NodeInterfaces', 'worker-0')
    expect(nodes.decide()).toEqual([])
    expect(nodes.state(first)).toEqual(before)
    expect(before).not.toHaveProperty('type')
  })

  test('as a VLAN with DHCP is not made static while it has no lease, and not removed', () => {
    const vlan = leased(reported('worker-0', ['enp6s0.20=172.17.0.200/24']))
    const nodes = settled(one, vlan, red)
    const before = nodes.state(first)
    expect(before['ipv4']).toEqual({
      enabled: true,
      address: [{ ip: '172.17.0.5', 'prefix-length': 24 }],
    })
    const without = vlan.interfaces.map((each) => ({ ...each, addresses: [] }))
    nodes.put({ ...vlan, interfaces: without, occupied: [] })
    expect(nodes.decide()).toEqual([])
    nodes.put({ ...red, generate: [] })
    expect(nodes.decide()).toEqual([`${first} enp6s0.20=`])
    expect(nodes.state(first)).toMatchObject({ state: 'up', ipv4: { enabled: true } })
    nodes.says(first, 'Available')
    expect(nodes.decide()).toEqual([`delete ${first}`])
  })

  test("keeps the node's own address though a network gives the node that one", () => {
    const own = node('worker-0', { addresses: [ip('192.168.122.100')] })
    const nodes = settled(own, reported('worker-0', ['ospbr=192.168.122.100/24']), untagged)
    expect(interfaces(nodes.objects.get(first) ?? {})).toBe('ospbr=192.168.122.100/24')
    nodes.put({ ...untagged, generate: [] })
    // nmstate keeps what it has done.
    expect(nodes.decide()).toEqual([`delete ${first}`])
  })

  test("keeps an address of ours that has become the node's own", () => {
    const nodes = settled(one, red)
    nodes.put(node('worker-0', { addresses: [ip('172.17.0.5')] }))
    nodes.put({ ...red, generate: [] })
    expect(nodes.decide()).toEqual([`delete ${first}`])
  })

  test('is not touched where nobody knows what it carries', () => {
    const nodes = new Nodes(one, untagged)
    expect(nodes.decide()).toEqual([])
    const speakers = { expected: new Set<string>(), live: new Set<string>() }
    expect(problems(nodes.world, speakers)).toMatchObject([
      { code: 'host-interface-in-use', object: 'Tenant/red' },
    ])
  })

  test('is not touched where the node itself may be on that VLAN', () => {
    const nodes = new Nodes(node('worker-0', { addresses: [ip('172.17.0.200')] }), red)
    expect(nodes.decide()).toEqual([])
  })
})

test('[R4.17] a plain interface that carries nothing is an ethernet', () => {
  const report = reported('worker-0', ['ospbr=192.168.122.10/24'])
  const empty = { ...report, interfaces: report.interfaces.map((at) => ({ ...at, addresses: [] })) }
  const nodes = new Nodes(one, empty, untagged)
  nodes.decide()
  expect(nodes.state(first)).toMatchObject({ name: 'ospbr', type: 'ethernet' })
})

test('[R4.17] a VLAN has its addresses and its MTU, and no others', () => {
  const both = { ...internalapi, cidrs: ['172.17.0.0/24', 'fd00:bbbb::/64'], mtu: 9000 }
  const hosts = [...internalapi.hosts, 'fd00:bbbb::5-fd00:bbbb::29']
  const nodes = new Nodes(one, { ...tenant('red', { ...both, hosts }), generate: ['HostNetworks'] })
  nodes.decide()
  expect(nodes.state(first)).toEqual({
    name: 'enp6s0.20',
    type: 'vlan',
    state: 'up',
    mtu: 9000,
    vlan: { 'base-iface': 'enp6s0', id: 20 },
    ipv4: { enabled: true, dhcp: false, address: [{ ip: '172.17.0.5', 'prefix-length': 24 }] },
    ipv6: {
      enabled: true,
      dhcp: false,
      autoconf: false,
      address: [{ ip: 'fd00:bbbb::5', 'prefix-length': 64 }],
    },
  })
})

test('[R4.17] a node keeps the address that its interface has, and takes none of another', () => {
  const nodes = settled(
    one,
    other,
    reported('worker-0', ['enp6s0.20=172.17.0.9/24']),
    node('worker-2', { addresses: [ip('172.17.0.5')] }),
    red,
  )
  // The address of worker-2 is in the network, and nobody says on which of its interfaces.
  const shown = [first, second].map((name) => interfaces(nodes.objects.get(name) ?? {}))
  expect(shown).toEqual(['enp6s0.20=172.17.0.9/24', 'enp6s0.20=172.17.0.6/24'])
})

test('[R4.17] when no address is left, the rest of the nodes have theirs', () => {
  const small = { ...tenant('red', { ...internalapi, hosts: ['172.17.0.5/32'] }) }
  const nodes = settled(one, other, { ...small, generate: ['HostNetworks'] })
  expect([...nodes.objects.keys()]).toEqual([first])
  const speakers = { expected: new Set<string>(), live: new Set<string>() }
  expect(problems(nodes.world, speakers)).toMatchObject([
    { code: 'hosts-full', object: 'Tenant/red', field: 'spec.networks[0].hosts' },
  ])
})

test('[R4.27] nor is one family left out in silence', () => {
  const hosts = ['172.17.0.5/32', 'fd00:17::5-fd00:17::9']
  const cidrs = ['172.17.0.0/24', 'fd00:17::/64']
  const dual = tenant('red', { ...internalapi, cidrs, hosts })
  const nodes = settled(one, other, { ...dual, generate: ['HostNetworks'] })
  expect([...nodes.objects.keys()]).toEqual([first, second])
  const speakers = { expected: new Set<string>(), live: new Set<string>() }
  expect(problems(nodes.world, speakers)).toMatchObject([
    { code: 'hosts-full', message: 'network internalapi has no address left for worker-1' },
  ])
})

test('[R4.27] a node that left gives its address back once its Node is gone', () => {
  const nodes = settled(one, other, red)
  nodes.drop('Node', 'worker-0')
  expect(nodes.decide()).toEqual([`delete ${first}`])
  nodes.put(node('worker-9'))
  expect(nodes.decide()).toEqual(['berth-worker-9 enp6s0.20=172.17.0.5/24'])
})

describe('[R4.27] a tenant that is not there', () => {
  test('takes nothing away if nobody saw it deleted', () => {
    const nodes = settled(one, other, red)
    nodes.world.apply({ type: 'lose', kind: 'Tenant', key: 'red' })
    expect(nodes.decide()).toEqual([])
  })

  test('is noted everywhere at once if somebody did, so that a restart goes on', () => {
    const nodes = settled(one, other, red)
    nodes.drop('Tenant', 'red')
    expect(nodes.decide()).toEqual([`${first} -enp6s0.20`])
    const restarted = new Nodes(one, other)
    for (const [name, object] of nodes.objects) {
      restarted.objects.set(name, object)
      restarted.put(viewOf(object))
    }
    restarted.says(first, 'Available')
    expect(restarted.decide()).toEqual([`delete ${first}`, `${second} -enp6s0.20`])
  })
})

test('[R4.19] a policy of others under the name is left alone', () => {
  const theirs = {
    apiVersion: 'nmstate.io/v1',
    kind: 'NodeNetworkConfigurationPolicy',
    metadata: { name: first },
    spec: { desiredState: { interfaces: [] } },
  }
  const nodes = new Nodes(one, red)
  nodes.put(viewOf(theirs))
  expect(nodes.decide()).toEqual([])
  const speakers = { expected: new Set<string>(), live: new Set<string>() }
  expect(problems(nodes.world, speakers)).toMatchObject([{ code: 'name-taken' }])
})

test('[R4.25] without nmstate nothing is written, and the tenant says so', () => {
  const nodes = new Nodes(one, red)
  const kind = 'NodeNetworkConfigurationPolicy'
  nodes.world.apply({ type: 'served', kind, isServed: false })
  expect(nodes.decide()).toEqual([])
  expect(tenants.decide(nodes.world, 'red').writes).toMatchObject([
    { conditions: { Ready: { status: 'False', reason: 'NotServed' } } },
  ])
})
