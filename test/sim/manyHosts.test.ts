// Do a hundred thousand hosts get addresses that nobody else has, from a /8 and from a /64? Work that
// grew with their square would take hours.
import { expect, test } from 'vitest'
import { blockName } from '../../src/core/model/ipam/addressBlock.ts'
import { World } from '../../src/core/model/world.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { addressBlocks } from '../../src/core/policy/ipam/decideBlock.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const apiVersion = 'network.openstack.org/v1beta1'
const [namespace, hosts, now] = ['openstack', 100_000, '2026-01-01T00:00:00Z']
const networks = [
  { name: 'four', cidr: '10.0.0.0/8', start: '10.0.0.1', end: '10.255.255.254' },
  { name: 'six', cidr: 'fd00::/64', start: 'fd00::1', end: 'fd00::ffff:ffff:ffff:fffe' },
].map(({ name, cidr, start, end }) => ({
  name,
  subnets: [{ name: 'all', cidr, allocationRanges: [{ start, end }] }],
}))

function put(world: World, json: object): void {
  const read = decode(json)
  if (read.kind !== 'view') throw new Error(JSON.stringify(read))
  world.apply({ type: 'upsert', view: read.view })
}

test('[R12.1] a hundred thousand hosts: the lowest addresses, each once', {
  timeout: 120_000,
}, () => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  put(world, {
    apiVersion,
    kind: 'NetConfig',
    metadata: { name: 'n', namespace },
    spec: { networks },
  })
  for (let number = 0; number < hosts; number++) {
    const network = number % 2 === 0 ? 'four' : 'six'
    const metadata = { name: `host-${number}`, namespace, uid: `u-${number}` }
    const spec = { networks: [{ name: network, subnetName: 'all' }] }
    put(world, { apiVersion, kind: 'IPSet', metadata, spec })
  }
  const given = new Set<Ip>()
  for (let key = world.nodeQueue.pop(); key !== undefined; key = world.nodeQueue.pop()) {
    const { nodeIntent } = decideIpSet(world, key, { now })
    if (nodeIntent === undefined) throw new Error(key)
    world.apply({ type: 'node', ipSet: key, intent: nodeIntent })
    for (const { address } of nodeIntent.addresses) given.add(address)
  }
  expect(given.size).toBe(hosts)
  // Passing over those that end in zero, and their claims fit their blocks.
  const last = '10.0.196.20' as Ip
  expect([given.has(last), given.has('10.0.196.21' as Ip)]).toEqual([true, false])
  const block = addressBlocks.record(world, blockName(`namespace/${namespace}`, last), now)
  expect(block?.type === 'put' ? block.holders.length : 0).toBe(20)
})
