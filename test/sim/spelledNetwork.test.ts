// Does a controller that starts again leave a block as it is? A Reservation has its networks as keys, and
// infra-operator writes those in lower case; a block has them as the IPSet spells them.
import { expect, test } from 'vitest'
import { blockName } from '../../src/core/model/ipam/addressBlock.ts'
import { World } from '../../src/core/model/world.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { addressBlocks } from '../../src/core/policy/ipam/decideBlock.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const openstack = { apiVersion: 'network.openstack.org/v1beta1' }
const block = blockName('namespace/red', '172.17.0.103' as Ip)
const spec = { networks: [{ name: 'InternalApi', subnetName: 's' }] }
const owner = { kind: 'IPSet', name: 'compute-0', uid: 'u', controller: true }
const held = { address: '172.17.0.103', namespace: 'red', name: 'compute-0', uid: 'u' }
const place = { network: 'InternalApi', subnet: 's', address: held.address }
const subnet = { name: 's', cidr: '172.17.0.0/24', allocationRanges: [] }

const objects = {
  NetConfig: {
    ...{ ...openstack, metadata: { name: 'n', namespace: 'red' } },
    spec: { networks: [{ name: 'InternalApi', subnets: [subnet] }] },
  },
  IPSet: { ...openstack, metadata: { name: 'compute-0', namespace: 'red', uid: 'u' }, spec },
  Reservation: {
    ...{
      ...openstack,
      metadata: { name: 'compute-0', namespace: 'red', ownerReferences: [owner] },
    },
    spec: { ipSetRef: {}, reservation: { internalapi: place } },
  },
  AddressBlock: {
    ...{ apiVersion: 'berth.dev/v1alpha1', metadata: { name: block } },
    spec: {
      ...{ wire: 'namespace/red', first: '172.17.0.0' },
      holders: [{ ...held, network: 'InternalApi' }],
    },
  },
}

test.each([
  [['NetConfig', 'IPSet', 'Reservation', 'AddressBlock']],
  [['NetConfig', 'IPSet', 'AddressBlock', 'Reservation']],
] as const)('[R12.5] a restart that lists %j writes no block', (kinds) => {
  const world = new World(settings)
  for (const kind of kinds) {
    const read = decode({ ...objects[kind], kind })
    if (read.kind !== 'view') throw new Error(JSON.stringify(read))
    world.apply({ type: 'upsert', view: read.view })
  }
  const [holder] = [...world.nodes.held.in(block)]
  expect(holder?.network).toBe('InternalApi')
  expect(addressBlocks.record(world, block, '2026-01-01T00:00:00Z')).toBeUndefined()
})
