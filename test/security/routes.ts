// Where are pods announced from, for attempts on routes (R16)? frr-k8s' definitions, the routers of a
// node, and a BGPConfiguration of alpha.
import type { Api } from '../../src/edge/kube/api/client.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { core, type KubeObject, merge, verbs } from '../kube/cluster.ts'
import { defineCrd } from '../kube/crds.ts'
import { frrGroup, openFrrDefinitions } from '../kube/frrDefinitions.ts'
import type { Stand } from './attempt.ts'
import { hostObject, openstack } from './hosts.ts'

export const frrNamespace = 'frr-k8s-system'
export const routerIp = '203.0.113.1'
export const routesOf = (api: Api, namespace = frrNamespace) =>
  verbs(api, { group: frrGroup, version: 'v1beta1', plural: 'frrconfigurations', namespace })

const routersOfNode = {
  ...typeOf('FRRConfiguration'),
  metadata: { name: 'routers-node-a' },
  spec: {
    nodeSelector: {},
    bgp: {
      routers: [
        {
          asn: 64_512,
          neighbors: [{ address: routerIp, asn: 64_513, toReceive: { allowed: { mode: 'all' } } }],
        },
      ],
    },
  },
}

/** By the administrator; gone when the work is done. */
export async function withRouters({ admin }: Stand, work: () => Promise<void>): Promise<void> {
  for (const { name, json } of openFrrDefinitions()) await defineCrd(admin, name, json)
  const namespaces = verbs(admin, core('namespaces'))
  const isThere = (await namespaces.list()).items.some(
    ({ metadata: { name } }) => name === frrNamespace,
  )
  if (!isThere) await namespaces.create({ metadata: { name: frrNamespace } })
  await routesOf(admin).create(routersOfNode)
  const configurations = verbs(admin, openstack('bgpconfigurations', 'alpha'))
  const frrNodeConfigurationSelector = [{ nodeName: 'node-a', nodeSelector: {} }]
  const spec = { frrConfigurationNamespace: frrNamespace, frrNodeConfigurationSelector }
  await configurations.create(hostObject('BGPConfiguration', 'bgp', spec))
  try {
    await work()
  } finally {
    await configurations.remove('bgp')
    await routesOf(admin).remove('routers-node-a')
  }
}

/** By the tenant, with an address that it names; the kubelet of its node runs it. */
export async function runPod({ tenant, admin }: Stand, name: string, ip: string): Promise<void> {
  await verbs(tenant, core('pods', 'alpha')).create({
    metadata: { name, labels: { predictableip: ip } },
    spec: {
      nodeName: 'node-a',
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'none' }],
    },
  })
  const body = { status: { phase: 'Running' } }
  await verbs(admin, core('pods', 'alpha')).patch(name, {
    type: merge,
    body,
    subresource: 'status',
  })
}

export const prefixesIn = ({ spec }: KubeObject): readonly string[] =>
  (spec as { bgp: { routers: { prefixes?: string[] }[] } }).bgp.routers.flatMap(
    ({ prefixes = [] }) => prefixes,
  )
