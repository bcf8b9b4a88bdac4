// What becomes of an address that a network takes away from a node (R4.27)? Reports lag behind nmstate.
import { describe, expect, test } from 'vitest'
import { recordAt } from '../../src/core/model/json.ts'
import { ip, node } from '../build/announcing.ts'
import { interfaces, settled } from '../build/hostNodes.ts'
import { reported, tenant } from '../build/wires.ts'

const policy = 'berth-worker-0'
const wanting = (network: { vlan?: number; interface: string }, hosts: string) => ({
  ...tenant('red', { cidrs: ['10.0.0.0/24'], ...network, hosts: [hosts] }),
  generate: ['HostNetworks'],
})
const [before, after] = ['10.0.0.5-10.0.0.9', '10.0.0.50-10.0.0.60']

/** eth1 is there from the start; a VLAN is only once it is made. */
const shown = (...texts: readonly string[]) => {
  const eth1 = { name: 'eth1', mac: '', hasCarrier: true, addresses: [] }
  const report = reported('worker-0', texts)
  const isThere = report.interfaces.some(({ name }) => name === 'eth1')
  return isThere ? report : { ...report, interfaces: [eth1, ...report.interfaces] }
}

type Stand = ReturnType<typeof settled>
const notesOf = ({ objects }: Stand) => {
  const annotations = recordAt(recordAt(objects.get(policy), 'metadata'), 'annotations')
  const { 'berth.dev/kept-addresses': kept, 'berth.dev/leaving-addresses': leaving } = annotations
  return { kept, leaving }
}
const written = ({ objects }: Stand) => interfaces(objects.get(policy) ?? {})
const noNotes = { kept: undefined, leaving: undefined }

describe.each([
  ['eth1', { interface: 'eth1' }],
  ['eth1.20', { interface: 'eth1', vlan: 20 }],
])('[R4.27] on %s an address of ours that has to go', (name, network) => {
  function moved(): Stand {
    const nodes = settled(node('worker-0'), shown(), wanting(network, before))
    nodes.put(shown(`${name}=10.0.0.5/24`))
    nodes.decide()
    nodes.put(wanting(network, after))
    expect(nodes.decide()).toEqual([`${policy} ${name}=10.0.0.50/24`])
    return nodes
  }

  test('stays away while the report still shows it, and is noted until one does not', () => {
    const nodes = moved()
    const state = nodes.state(policy)
    const noted = { kept: undefined, leaving: `${name}=10.0.0.5/24` }
    expect(notesOf(nodes)).toEqual(noted)
    expect(nodes.decide()).toEqual([])
    nodes.says(policy, 'Available')
    nodes.put(shown(`${name}=10.0.0.5/24`, `${name}=10.0.0.50/24`))
    expect(nodes.decide()).toEqual([])
    expect(notesOf(nodes)).toEqual(noted)
    nodes.put(shown(`${name}=10.0.0.50/24`))
    expect(nodes.decide()).toEqual([])
    expect(notesOf(nodes)).toEqual(noNotes)
    expect(nodes.state(policy)).toEqual(state)
  })

  test('is still noted when nmstate is at work and a report does not show it', () => {
    const nodes = moved()
    nodes.says(policy, 'Progressing')
    nodes.put(shown())
    nodes.decide()
    nodes.put(shown(`${name}=10.0.0.5/24`))
    nodes.decide()
    nodes.says(policy, 'Available')
    nodes.decide()
    expect(written(nodes)).toBe(`${name}=10.0.0.50/24`)
    expect(notesOf(nodes).leaving).toBe(`${name}=10.0.0.5/24`)
  })

  test('is no note any more once it is given again', () => {
    const nodes = moved()
    nodes.says(policy, 'Available')
    nodes.put(wanting(network, before))
    expect(nodes.decide()).toEqual([`${policy} ${name}=10.0.0.5/24`])
    expect(notesOf(nodes)).toEqual({ kept: undefined, leaving: `${name}=10.0.0.50/24` })
  })

  test("is kept once it is the node's own", () => {
    const nodes = moved()
    nodes.put(node('worker-0', { addresses: [ip('10.0.0.5')] }))
    nodes.says(policy, 'Available')
    nodes.decide()
    expect(written(nodes)).toBe(`${name}=10.0.0.5/24+10.0.0.50/24`)
  })
})

test('[R4.27] a VLAN whose range moved before the report is still ours, and is removed', () => {
  const vlan = { interface: 'eth1', vlan: 20 }
  const nodes = settled(node('worker-0'), shown('eth1.20=10.0.0.5/24'), wanting(vlan, before))
  nodes.put(wanting(vlan, after))
  nodes.decide()
  nodes.says(policy, 'Available')
  nodes.decide()
  expect(nodes.state(policy)).toMatchObject({
    type: 'vlan',
    ipv4: { dhcp: false, address: [{ ip: '10.0.0.50', 'prefix-length': 24 }] },
  })
  nodes.put({ ...wanting(vlan, after), generate: [] })
  expect(nodes.decide()).toEqual([`${policy} -eth1.20`])
  nodes.says(policy, 'Available')
  expect(nodes.decide()).toEqual([`delete ${policy}`])
})

test('[R4.27] a VLAN that comes back with another range before the report is ours', () => {
  const vlan = { interface: 'eth1', vlan: 20 }
  const nodes = settled(node('worker-0'), shown('eth1.20=10.0.0.5/24'), wanting(vlan, before))
  nodes.put({ ...wanting(vlan, before), generate: [] })
  expect(nodes.decide()).toEqual([`${policy} -eth1.20`])
  nodes.put(wanting(vlan, after))
  expect(nodes.decide()).toEqual([`${policy} eth1.20=10.0.0.50/24`])
  expect(nodes.state(policy)).toMatchObject({ type: 'vlan', ipv4: { dhcp: false } })
})

test('[R4.27] an address of others is not noted as one of ours when its interface is left out', () => {
  const two = {
    ...tenant(
      'red',
      { cidrs: ['10.0.0.0/24'], interface: 'eth1', hosts: [before] },
      {
        name: 'storage',
        cidrs: ['10.1.0.0/24'],
        interface: 'eth2',
        vlan: 7,
        hosts: ['10.1.0.5/32'],
      },
    ),
    generate: ['HostNetworks'],
  }
  const theirs = 'eth1=10.0.0.200/24'
  const nodes = settled(node('worker-0'), shown(theirs), two)
  expect(notesOf(nodes)).toEqual({ kept: theirs, leaving: undefined })
  const [, storage] = two.networks
  const only = { ...two, networks: storage === undefined ? [] : [storage] }
  nodes.put(only)
  nodes.decide()
  expect(notesOf(nodes)).toEqual({ kept: theirs, leaving: 'eth1=10.0.0.5/24' })
  nodes.says(policy, 'Available')
  nodes.decide()
  expect(written(nodes)).toBe('eth2.7=10.1.0.5/24')
  expect(notesOf(nodes)).toEqual(noNotes)
  nodes.put(two)
  nodes.decide()
  expect(written(nodes)).toContain('10.0.0.200/24')
})

test('[R4.27] what DHCP gives on an interface is not ours, though a policy gave the same before', () => {
  const vlan = { interface: 'eth1', vlan: 20 }
  const nodes = settled(node('worker-0'), shown('eth1.20=10.0.0.5/24'), wanting(vlan, before))
  nodes.put(wanting(vlan, after))
  nodes.decide()
  const report = shown('eth1.20=10.0.0.5/24')
  nodes.put({
    ...report,
    interfaces: report.interfaces.map((each) => ({
      ...each,
      addresses: each.addresses.map((one) => ({ ...one, isTemporary: true as const })),
    })),
  })
  nodes.put(wanting(vlan, '10.0.0.70-10.0.0.79'))
  expect(nodes.decide()).toEqual([`${policy} eth1.20=10.0.0.70/24`])
  expect(nodes.state(policy)['ipv4']).not.toHaveProperty('dhcp')
})
