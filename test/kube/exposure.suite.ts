// What do endpoints and stale tell of a running control plane (R12.17)?
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openstackVerb } from '../../src/app/cli/openstack/openstackVerb.ts'
import { showEndpoints } from '../../src/app/cli/openstack/showEndpoints.ts'
import { showStale } from '../../src/app/cli/openstack/showStale.ts'
import { nowhere } from '../build/terminal.ts'
import { core, merge, verbs } from './cluster.ts'
import { type Cluster, startCluster } from './controllers.ts'
import { defineCrd } from './crds.ts'

const isHere = inject('kube') !== undefined
const namespace = 'openstack'
const group = 'core.openstack.org'
const plural = 'openstackcontrolplanes'
/** Its real definition has 50,000 lines; what is asked of it here is that it keeps what it is told. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, singular: 'openstackcontrolplane', kind: 'OpenStackControlPlane' },
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

let cluster: Cluster
const planes = () => verbs(cluster.admin, { group, version: 'v1beta1', plural, namespace })

async function printed(show: (io: typeof nowhere) => Promise<number>) {
  let out = ''
  const exit = await show({
    ...nowhere,
    out: (text) => (out += text),
    err: (text) => (out += text),
  })
  return { exit, out }
}
const stale = () => printed((io) => showStale({ api: cluster.admin, io, namespace: '' }))

const pool = 'metallb.universe.tf/address-pool'
const pinned = 'metallb.universe.tf/loadBalancerIPs'
const service = (name: string, annotations: object, port = 5000) => ({
  metadata: { name, annotations },
  spec: { type: 'LoadBalancer', ports: [{ name, port }] },
})

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster()
  await defineCrd(cluster.admin, definition.metadata.name, definition)
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
  const annotations = { [pool]: 'internalapi' }
  const internal = { metadata: { annotations }, spec: { type: 'LoadBalancer' } }
  const override = { service: { internal } }
  const tls = { podLevel: { enabled: false } }
  await planes().create({
    apiVersion: `${group}/v1beta1`,
    kind: 'OpenStackControlPlane',
    metadata: { name: 'controlplane' },
    spec: { tls, keystone: { template: { override } }, glance: { template: { glanceAPIs: {} } } },
  })
  const services = cluster.services(namespace)
  const given = { ...annotations, [pinned]: '172.17.0.80' }
  await services.create(service('keystone-internal', given))
  await services.create(service('keystone-public', {}))
  await services.create(service('mine', given, 80))
})
afterAll(() => cluster?.stop())

describe.skipIf(!isHere)('exposure', () => {
  test('[R12.17] endpoints are the table of OpenStack', async () => {
    const { exit, out } = await printed((io) =>
      showEndpoints({ api: cluster.admin, io, namespace, isWide: false }),
    )
    expect(exit).toBe(0)
    expect(out).toBe(
      `+--------------+-----------+---------------------------------------------+
| Service Name | Interface | URL                                         |
+--------------+-----------+---------------------------------------------+
| keystone     | internal  | http://keystone-internal.openstack.svc:5000 |
| keystone     | public    | http://keystone-public.openstack.svc:5000   |
+--------------+-----------+---------------------------------------------+
`,
    )
    await planes().patch('controlplane', { type: merge, body: { spec: { tls: null } } })
    const after = await printed((io) =>
      showEndpoints({ api: cluster.admin, io, namespace, isWide: true }),
    )
    expect(after.out).toContain('https://keystone-internal.openstack.svc:5000')
  })

  test('[R12.17] an annotation that left the control plane is stale until it is removed', async () => {
    const { exit, out } = await stale()
    expect(exit).toBe(2)
    expect(out).toMatch(/^openstack\/keystone-internal +metallb.universe.tf\/loadBalancerIPs +172/m)
    const command = `kubectl annotate service -n openstack keystone-internal ${pinned}-`
    expect(out).toContain(`  ${command}\n`)
    expect(out).not.toMatch(/address-pool|mine/)
    const body = { metadata: { annotations: { [pinned]: null } } }
    await cluster.services(namespace).patch('keystone-internal', { type: merge, body })
    expect(await stale()).toMatchObject({ exit: 0 })
    await planes().patch('controlplane', { type: merge, body: { spec: { keystone: null } } })
    expect((await stale()).out).toContain(pool)
  })

  test('[R12.17] its help names all three', () => {
    expect(openstackVerb.words).toEqual(['convert', 'endpoints', 'stale'])
  })
})
