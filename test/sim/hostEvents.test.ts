// What is a host told in events (R12.7)? Why it lacks an address, once, and when it has got it.
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'

const gate = gatesOf(await readCrds())('native')
const apiVersion = 'network.openstack.org/v1beta1'
const namespace = 'openstack'
const ends = { start: '172.17.0.100', end: '172.17.0.101' }
const subnets = [{ name: 'subnet1', cidr: '172.17.0.0/24', allocationRanges: [ends] }]
const hostOf = (name: string) => ({
  ...{ apiVersion, kind: 'IPSet', metadata: { name, namespace } },
  spec: { networks: [{ name: 'InternalApi', subnetName: 'subnet1' }] },
})

function clusterWith(...names: readonly string[]): Cluster {
  const cluster = new Cluster(gate, settings)
  cluster.apply({
    ...{ apiVersion, kind: 'NetConfig', metadata: { name: 'netconfig', namespace } },
    spec: { networks: [{ name: 'InternalApi', subnets }] },
  })
  for (const name of names) {
    cluster.advance(1)
    cluster.apply(hostOf(name))
  }
  cluster.settle()
  return cluster
}

const told = (cluster: Cluster): readonly string[] =>
  cluster.takeEvents().map(({ key, reason }) => `${key} ${reason}`)

test('[R12.7] a host that gets its addresses at once has no event: the status says it', () => {
  expect(told(clusterWith('a', 'b'))).toEqual([])
})

test('[R12.7] one that lacks an address is told why, once, and that it has got it', () => {
  const cluster = clusterWith('a', 'b', 'c')
  expect(told(cluster)).toEqual(['openstack/c ReservationFailed'])
  cluster.apply(hostOf('c'))
  cluster.settle()
  expect(told(cluster)).toEqual([])
  cluster.delete(`IPSet/${namespace}/a`)
  cluster.settle()
  expect(told(cluster)).toEqual(['openstack/c Reserved'])
})
