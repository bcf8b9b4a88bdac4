// Pods that list ever more addresses, and thousands of pods that have routes. The attacker may write pods in a
// namespace with a BGPConfiguration. Afterwards: only the first addresses of each pod were looked at,
// and work grows with the number of pods, not with what each of them lists, nor with the square.
// Before: a hundred pods held up the event loop for longer than the Lease of the controller lasts; with routes,
// 2,000 pods on 200 nodes held it up for a second at every change.
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

function decidedOn(all: readonly object[]): { readonly steps: number; readonly text: string } {
  const world = new World(settings)
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
  const { steps, text } = decidedOn([
    { apiVersion: 'v1', kind: 'Namespace', ...named('alpha') },
    ...Array.from({ length: 50 }, (_, at) => tenant(at)),
    configuration,
    ...Array.from({ length: 20 }, (_, at) => pod(at)),
  ])
  expect(steps).toBeLessThan(100_000)
  expect(text.length).toBeLessThan(100_000)
})

const hostname = (at: number) => ({ 'kubernetes.io/hostname': `w${at}` })
const routers = (name: string, given: { node: number; labels?: object; prefixes?: string[] }) => {
  const { node, labels = {}, prefixes = [] } = given
  const { metadata } = named(name, 'openshift-frr-k8s')
  const neighbors = [{ address: '192.0.2.1', asn: 64_513 }]
  return {
    ...{ apiVersion: 'frrk8s.metallb.io/v1beta1', kind: 'FRRConfiguration' },
    metadata: { ...metadata, labels },
    spec: {
      nodeSelector: { matchLabels: hostname(node) },
      bgp: { routers: [{ asn: 64_512, prefixes, neighbors }] },
    },
  }
}
const nodes = 200
/** It runs, and has its route. */
const routedPod = (at: number): readonly object[] => {
  const [name, ip] = [`pod-${at}`, `10.9.${at >> 8}.${at & 255}`]
  const node = at % nodes
  const label = (key: string, value: string) => [`bgpconfiguration.openstack.org/${key}`, value]
  const { metadata } = named(name, 'alpha')
  const labels = Object.fromEntries([
    ...[label('name', 'bgp'), label('namespace', 'alpha')],
    ...[label('uid', 'bgp'), label('pod-name', name)],
  ])
  return [
    {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: { ...metadata, labels: { predictableip: ip } },
      ...{ spec: { nodeName: `w${node}` }, status: { phase: 'Running' } },
    },
    routers(`alpha-${name}`, { node, labels, prefixes: [`${ip}/32`] }),
  ]
}

test('[R16.2] 2,000 pods that have routes cost a few steps each', () => {
  const cost = (pods: number): number =>
    decidedOn([
      { apiVersion: 'v1', kind: 'Namespace', ...named('openshift-frr-k8s') },
      ...Array.from({ length: nodes }, (_, at) => ({
        ...{ apiVersion: 'v1', kind: 'Node' },
        metadata: { ...named(`w${at}`).metadata, labels: hostname(at) },
      })),
      ...Array.from({ length: nodes }, (_, at) => routers(`metallb-w${at}`, { node: at })),
      configuration,
      ...Array.from({ length: pods }, (_, at) => routedPod(at)).flat(),
    ]).steps
  expect(cost(2000)).toBeLessThan(40_000)
})
