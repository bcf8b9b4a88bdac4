// A host asks for an address in a range that is another tenant's, with billions of addresses. The attacker
// may write NetConfigs and IPSets in its namespace, and an administrator has put two tenants on one wire.
// Afterwards: the range was passed over at one look, and a host gets what lies behind it.
// Before: each address was looked at, so that the controller did nothing else any more.
import { expect, test } from 'vitest'
import type { Tenant } from '../../src/core/model/tenant.ts'
import { World } from '../../src/core/model/world.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const apiVersion = 'network.openstack.org/v1beta1'
const own = (kind: string, name: string, spec: object) => ({
  ...{ apiVersion, kind, spec },
  metadata: { name, namespace: 'alpha', uid: name, resourceVersion: '1' },
})

function viewOf(json: unknown) {
  const decoded = decode(json)
  if (decoded.kind !== 'view') throw new Error(JSON.stringify(decoded))
  return decoded.view
}

/** Answers what alpha's host was given, and how often beta's ranges were asked for. */
function asked(anothers: string, range: object, cidr: string) {
  const world = new World(settings)
  const put = (json: unknown) => world.apply({ type: 'upsert', view: viewOf(json) })
  for (const name of ['alpha', 'beta']) {
    const annotations = { 'berth.dev/wire': 'lan' }
    put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations } })
  }
  const beta = viewOf({
    ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name: 'beta', uid: 'b' } },
    spec: {
      namespaces: { names: ['beta'] },
      networks: [{ name: 'net', cidrs: [anothers], loadBalancer: [anothers] }],
    },
  }) as Tenant
  let looks = 0
  const namespaces = beta.namespaces
  const counting = {
    get namespaces() {
      looks += 1
      return namespaces
    },
  }
  const view = Object.create(counting, Object.getOwnPropertyDescriptors(beta))
  Reflect.deleteProperty(view, 'namespaces')
  world.apply({ type: 'upsert', view })
  const subnet = { name: 's', cidr, allocationRanges: [range] }
  put(own('NetConfig', 'netconfig', { networks: [{ name: 'net', subnets: [subnet] }] }))
  put(own('IPSet', 'host', { networks: [{ name: 'net', subnetName: 's' }] }))
  looks = 0
  const { nodeIntent } = decideIpSet(world, 'alpha/host', { now: '2026-01-01T00:00:00Z' })
  return { given: nodeIntent?.addresses.map(({ address }) => address), looks }
}

test('[R12.4] a range of another tenant is passed over as a whole', () => {
  const range = { start: '10.1.0.1', end: '10.1.63.254' }
  const { given, looks } = asked('10.1.0.0/16', range, '10.0.0.0/8')
  expect(given).toEqual([])
  expect(looks).toBeLessThan(20)
})

test('[R12.4] what lies behind it is given', () => {
  const range = { start: '10.1.255.1', end: '10.2.0.9' }
  expect(asked('10.1.0.0/16', range, '10.0.0.0/8').given).toEqual(['10.2.0.1'])
})

test('[R12.4] so it is with an IPv6 network', () => {
  const range = { start: 'fd00::1', end: 'fd00::1:0:0:9' }
  const { given, looks } = asked('fd00::/80', range, 'fd00::/64')
  expect(given).toEqual(['fd00::1:0:0:1'])
  expect(looks).toBeLessThan(20)
})
