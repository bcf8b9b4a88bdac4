// Pods that list ever more addresses, for which routes are made. The attacker may write pods in a
// namespace with a BGPConfiguration. Afterwards: only the first addresses of each pod were looked at,
// and work grows with the number of pods, not with what each of them lists.
// Before: a hundred pods held up the event loop for longer than the Lease of the controller lasts.
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { podRoutes } from '../../src/core/policy/podRoutes/decidePodRoutes.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { stepsOf } from '../build/stepsOf.ts'

const named = (name: string, namespace?: string) => ({
  metadata: { name, uid: name, resourceVersion: '1', ...(namespace && { namespace }) },
})
const networks = Array.from({ length: 64 }, (_, at) => ({
  name: `alpha/net${at}`,
  interface: `net${at}`,
  ips: Array.from({ length: 64 }, (_, ip) => `10.9.${at}.${ip + 1}`),
}))
const pod = (at: number) => {
  const { metadata } = named(`pod-${at}`, 'alpha')
  const annotations = {
    'k8s.v1.cni.cncf.io/networks': networks.map(({ name }) => name).join(','),
    'k8s.v1.cni.cncf.io/network-status': JSON.stringify(networks),
  }
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, annotations } },
    ...{ spec: { nodeName: 'node-a' }, status: { phase: 'Running' } },
  }
}
const tenant = (at: number) => ({
  ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', ...named(`t${at}`) },
  spec: {
    namespaces: { names: [`t${at}`] },
    networks: [{ name: 'n', cidrs: [`172.16.${at}.0/24`] }],
  },
})
const configuration = {
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'BGPConfiguration' },
  ...named('bgp', 'alpha'),
  spec: {},
}

function decided(pods: number): { readonly steps: number; readonly text: string } {
  const world = new World(settings)
  const all = [
    { apiVersion: 'v1', kind: 'Namespace', ...named('alpha') },
    ...Array.from({ length: 50 }, (_, at) => tenant(at)),
    configuration,
    ...Array.from({ length: pods }, (_, at) => pod(at)),
  ]
  for (const json of all) {
    const read = decode(json)
    if (read.kind !== 'view') throw new Error(read.kind)
    world.apply({ type: 'upsert', view: read.view })
  }
  for (const kind of ['Pod', 'BGPConfiguration', 'FRRConfiguration'] as const) {
    world.apply({ type: 'served', kind, isServed: true })
  }
  let text = ''
  const steps = stepsOf(() => {
    text = JSON.stringify(podRoutes(() => 'known').decide(world, 'alpha/bgp').writes)
  })
  return { steps, text }
}

test('[R16.5] of a pod with 4,096 addresses a few are looked at', () => {
  const { steps, text } = decided(20)
  expect(steps).toBeLessThan(100_000)
  expect(text.length).toBeLessThan(100_000)
})
