// A range for pods of which thousands of addresses are excluded. The attacker may write NetConfigs and
// IPSets in its namespace. Afterwards: what is excluded is no part of the range, and nobody looks at it
// when a pod asks for an address.
// Before: each decision compared all excluded addresses with each other, a second for 20,000 of them.
import { expect, test } from 'vitest'
import type { NetConfig } from '../../src/core/model/wires.ts'
import { World } from '../../src/core/model/world.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const most = 10_000
const ip = (at: number): string => `10.0.${at >> 8}.${at & 255}`
const object = (kind: string, parts: object) => ({
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind },
  ...parts,
})
const metadata = (name: string, annotations: object) => ({
  metadata: { name, namespace: 'alpha', uid: name, resourceVersion: '1', annotations },
})
const subnet = {
  ...{ name: 's', cidr: '10.0.0.0/8' },
  allocationRanges: [{ start: '10.9.0.1', end: '10.9.0.9' }],
  excludeAddresses: Array.from({ length: most }, (_, at) => ip(at + 1)),
}

test('[R12.15] a pod gets the first that is not excluded, at one look', () => {
  const world = new World(settings)
  const put = (json: unknown) => {
    const decoded = decode(json)
    if (decoded.kind !== 'view') throw new Error(JSON.stringify(decoded))
    world.apply({ type: 'upsert', view: decoded.view })
  }
  put(
    object('NetConfig', {
      ...metadata('netconfig', { 'berth.dev/sticky': `net=10.0.0.1-${ip(most + 9)}` }),
      spec: { networks: [{ name: 'net', subnets: [subnet] }] },
    }),
  )
  put(
    object('IPSet', {
      ...metadata('web-0', { 'berth.dev/for': 'pod' }),
      spec: { networks: [{ name: 'net', subnetName: 's' }] },
    }),
  )
  let looks = 0
  const config = world.all('NetConfig').get('alpha/netconfig') as NetConfig
  const excluded = config.networks[0]?.subnets[0]?.excluded ?? []
  Object.assign(excluded, {
    includes(one: unknown) {
      looks += 1
      return Array.prototype.includes.call(excluded, one)
    },
  })
  const { nodeIntent } = decideIpSet(world, 'alpha/web-0', { now: '2026-01-01T00:00:00Z' })
  expect(nodeIntent?.addresses).toEqual([{ network: 'net', address: ip(most + 1) }])
  expect(looks).toBeLessThan(10)
})
