// Does a host that is made again at once have what is kept for its name (R12.9)?
import { expect, test } from 'vitest'
import { blockName } from '../../src/core/model/ipam/addressBlock.ts'
import { World } from '../../src/core/model/world.ts'
import { parseIp } from '../../src/core/net/ip.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const apiVersion = 'network.openstack.org/v1beta1'
const namespace = 'openstack'
const address = parseIp('172.17.0.107')
if (!address.ok) throw new Error(address.why)
const wire = `namespace/${namespace}`

const objects = (keep: string) => [
  {
    apiVersion,
    kind: 'NetConfig',
    metadata: { name: 'netconfig', namespace },
    spec: {
      networks: [
        {
          name: 'InternalApi',
          subnets: [
            {
              name: 'subnet1',
              cidr: '172.17.0.0/24',
              allocationRanges: [{ start: '172.17.0.100', end: '172.17.0.120' }],
            },
          ],
        },
      ],
    },
  },
  // Its block still says what it said while the one before was there.
  {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'AddressBlock',
    metadata: { name: blockName(wire, address.value) },
    spec: {
      wire,
      first: '172.17.0.0',
      holders: [
        { address: address.value, namespace, name: 'a', uid: 'old', network: 'InternalApi', keep },
      ],
    },
  },
  {
    apiVersion,
    kind: 'IPSet',
    metadata: { name: 'a', namespace, uid: 'new' },
    spec: { networks: [{ name: 'InternalApi', subnetName: 'subnet1' }] },
  },
]

test.each([
  ['86400s', '172.17.0.107'],
  ['', '172.17.0.100'],
])('[R12.9] before its block tells that the one before is gone, keep "%s"', (keep, wanted) => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  for (const json of objects(keep)) {
    const read = decode(json)
    if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  }
  const { nodeIntent } = decideIpSet(world, `${namespace}/a`, { now: '2026-01-01T00:00:00Z' })
  expect(nodeIntent?.addresses).toEqual([{ network: 'InternalApi', address: wanted }])
})

test.each([
  ['a pod', { 'berth.dev/for': 'pod' }, '172.17.0.60'],
  ['a host', {}, '172.17.0.107'],
])('[R12.9] what is kept for a host is not for %s of its name', (_, annotations, wanted) => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  const [config, block, ipSet] = objects('86400s')
  const sticky = { 'berth.dev/sticky': 'InternalApi=172.17.0.60-172.17.0.69' }
  for (const json of [
    { ...config, metadata: { ...config?.metadata, annotations: sticky } },
    block,
    { ...ipSet, metadata: { ...ipSet?.metadata, annotations } },
  ]) {
    const read = decode(json)
    if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  }
  const { nodeIntent } = decideIpSet(world, `${namespace}/a`, { now: '2026-01-01T00:00:00Z' })
  expect(nodeIntent?.addresses).toEqual([{ network: 'InternalApi', address: wanted }])
})
