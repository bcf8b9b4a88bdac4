import { expect, test } from 'vitest'
import { pictureOf } from './picture.ts'
import { isLabName, most, topologyOf } from './topology.ts'

const options = { name: 'main', nodes: 3, routers: 1, clients: 2, router: 'none' } as const
const longestInterface = 15

test('every machine has a namespace of the lab, and nodes are on both wires', () => {
  const { fabric, machines } = topologyOf(options)
  expect(fabric).toBe('berth-lab-main-fabric')
  expect(machines.map(({ name }) => name)).toEqual([
    ...['control', 'node-1', 'node-2', 'node-3', 'router-1', 'client-1', 'client-2'],
  ])
  expect(machines[2]).toEqual({
    name: 'node-2',
    role: 'node',
    namespace: 'berth-lab-main-node-2',
    pod: { 4: '10.30.12.2', 6: 'fd10:30:12::2' },
    ports: [
      {
        wire: 'mgmt',
        name: 'mgmt0',
        mac: '02:00:00:20:00:12',
        plug: 'node-2-mgmt',
        addresses: { 4: '10.20.0.12', 6: 'fd10:20::12' },
      },
      {
        wire: 'lan',
        name: 'eth0',
        mac: '02:00:00:10:00:12',
        plug: 'node-2-lan',
        addresses: { 4: '10.10.0.12', 6: 'fd10:10::12' },
      },
    ],
  })
})

test('the largest lab has no duplicate or overlong name or address', () => {
  const topology = topologyOf({ name: 'z'.repeat(12), ...most, router: 'frr' })
  const { machines } = topology
  const ports = machines.flatMap((machine) => machine.ports)
  for (const all of [
    machines.map(({ namespace }) => namespace),
    ports.map(({ plug }) => plug),
    ports.map(({ mac }) => mac),
    ports.flatMap(({ addresses }) => [addresses[4], addresses[6]]),
  ]) {
    expect(new Set(all).size).toBe(all.length)
  }
  for (const { plug } of ports) expect(plug.length).toBeLessThanOrEqual(longestInterface)
  for (const line of pictureOf(topology).split('\n')) {
    expect(line.length).toBeLessThan(100)
  }
})

test.each([
  { name: 'main', isOne: true },
  { name: 'two2', isOne: true },
  { name: '', isOne: false },
  { name: 'a-b', isOne: false },
  { name: '../x', isOne: false },
  { name: 'thirteenchars', isOne: false },
])('$name is a valid lab name: $isOne', ({ name, isOne }) => {
  expect(isLabName(name)).toBe(isOne)
})

test('the picture shows both wires and the machines on each', () => {
  expect(pictureOf(topologyOf({ ...options, clients: 1 }))).toBe(`\
  control
  10.20.0.2
     |
  === mgmt  10.20.0.0/16  fd10:20::/64 ======================================
     |              |              |
  node-1         node-2         node-3
  10.10.0.11     10.10.0.12     10.10.0.13
     |              |              |
  === lan  10.10.0.0/16  fd10:10::/64 =======================================
     |              |
  router-1       client-1
  10.10.0.1      10.10.0.201
`)
})

test('with BGP the clients are behind the routers', () => {
  expect(pictureOf(topologyOf({ ...options, routers: 2, clients: 1, router: 'frr' }))).toContain(`\
  === lan  10.10.0.0/16  fd10:10::/64 =======================================
     |              |
  router-1       router-2
  10.10.0.1      10.10.0.2
     |              |
  === edge  10.40.0.0/16  fd10:40::/64 ======================================
     |
  client-1
  10.40.0.201
`)
})
