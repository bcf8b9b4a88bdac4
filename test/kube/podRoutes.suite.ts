// Are pods announced by the routers of their nodes (R16)? On both engines, with frr-k8s' definitions
// and nobody who acts on them.
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openstack } from '../../src/app/openstack/openstack.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { core, type KubeObject, merge, verbs } from './cluster.ts'
import {
  addressOf,
  asking,
  type Cluster,
  pool,
  type Running,
  runController,
  startCluster,
  writesIn,
} from './controllers.ts'
import { defineCrd } from './crds.ts'
import { frrDefinitions, frrGroup } from './frrDefinitions.ts'
import { installOpenstack } from './ipsetStand.ts'
import { defineAttachments } from './stickyStand.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
const frrNamespace = 'frr-k8s-system'
const group = { group: 'network.openstack.org', version: 'v1beta1' }
let cluster: Cluster
let running: Running[] = []

const namespaces = () => verbs(cluster.admin, core('namespaces'))
const routes = (namespace = frrNamespace) =>
  verbs(cluster.admin, {
    ...{ group: frrGroup, version: 'v1beta1', plural: 'frrconfigurations', namespace },
  })
const configurations = (namespace: string) =>
  verbs(cluster.admin, { ...group, plural: 'bgpconfigurations', namespace })
const pods = (namespace: string) => verbs(cluster.admin, core('pods', namespace))

const configuration = (name = 'bgp') => ({
  ...typeOf('BGPConfiguration'),
  metadata: { name },
  spec: { frrConfigurationNamespace: frrNamespace },
})

const routersOf = (node: string) => ({
  ...typeOf('FRRConfiguration'),
  metadata: { name: `metallb-${node}` },
  spec: {
    nodeSelector: { matchLabels: { 'kubernetes.io/hostname': node } },
    bgp: { routers: [{ asn: 64512, neighbors: [{ address: '192.0.2.1', asn: 64513 }] }] },
  },
})

type Placed = { readonly namespace: string; readonly name: string; readonly node?: string }

/** It has an address of its own, and runs. */
async function runPod({ namespace, name, node = 'w0' }: Placed, address: string): Promise<void> {
  await pods(namespace).create({
    metadata: { name, labels: { predictableip: address } },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'none' }],
    },
  })
  const body = { status: { phase: 'Running' } }
  await pods(namespace).patch(name, { type: merge, body, subresource: 'status' })
}

const start = (): Running => {
  const one = runController(cluster.kube, { extensions: [openstack('serve')] })
  running.push(one)
  return one
}

const prefixesIn = ({ spec }: KubeObject): string =>
  (spec as { bgp: { routers: { prefixes?: string[] }[] } }).bgp.routers
    .flatMap(({ prefixes = [] }) => prefixes)
    .join(' ')

/** Of the pods of all namespaces, as `name prefixes`. */
const routed = async (): Promise<readonly string[]> =>
  (await routes().list()).items
    .filter(({ metadata }) => !metadata.name.startsWith('metallb-'))
    .map((one) => `${one.metadata.name} ${prefixesIn(one)}`)
    .toSorted()

const has = (...wanted: readonly string[]) =>
  until(`routes ${wanted.join(', ')}`, async () =>
    (await routed()).join() === wanted.join() ? true : undefined,
  )

type Condition = { readonly type: string; readonly status: string; readonly message: string }
const said = ({ status }: KubeObject): readonly string[] =>
  ((status?.['conditions'] ?? []) as readonly Condition[]).map(
    (one) => `${one.type} ${one.status} ${one.message}`,
  )

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster({
    apiFlags: ['--disable-admission-plugins=ServiceAccount'],
    define: installOpenstack,
  })
  await defineAttachments(cluster)
  const { admin } = cluster
  await Promise.all(frrDefinitions().map(({ name, json }) => defineCrd(admin, name, json)))
  for (const name of [frrNamespace, 'cloud', 'cloud-two', 'lone']) {
    await namespaces().create({ metadata: { name } })
  }
  for (const node of ['w0', 'w1']) await routes().create(routersOf(node))
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  running = []
})
afterAll(() => cluster?.stop())

describe.skipIf(!isHere)('routes to pods', () => {
  test('[R16.4] two namespaces leave each other alone, and each pod has a route', async () => {
    for (const namespace of ['cloud', 'cloud-two']) {
      await configurations(namespace).create(configuration())
    }
    await runPod({ namespace: 'cloud', name: 'two-db' }, '172.28.0.1')
    const first = start()
    await has('cloud-two-db 172.28.0.1/32')
    await runPod({ namespace: 'cloud-two', name: 'db', node: 'w1' }, '172.28.0.2')
    const hashed = 'cloud-two-db-3fc0ef0d'
    await has('cloud-two-db 172.28.0.1/32', `${hashed} 172.28.0.2/32`)
    expect((await routes().get(hashed)).spec).toMatchObject({
      nodeSelector: { matchLabels: { 'kubernetes.io/hostname': 'w1' } },
    })
    await runPod({ namespace: 'cloud', name: 'api' }, '172.28.0.3')
    await has('cloud-api 172.28.0.3/32', 'cloud-two-db 172.28.0.1/32', `${hashed} 172.28.0.2/32`)
    await first.quiet()
    await first.stop()

    // Whoever leads next finds all as it should be.
    const next = start()
    await next.quiet()
    expect(writesIn(next.seen)).toEqual([])
    await pods('cloud').remove('two-db')
    await has('cloud-api 172.28.0.3/32', `${hashed} 172.28.0.2/32`)
    await until('both are ready', async () => {
      const all = await Promise.all(
        ['cloud', 'cloud-two'].map((one) => configurations(one).get('bgp')),
      )
      return all.every((one) => said(one)[0] === 'Ready True Setup complete') ? true : undefined
    })
    await next.quiet()
    await next.stop()

    // Gone while nobody led: its routes go, and the other's stay.
    await configurations('cloud-two').remove('bgp')
    await runPod({ namespace: 'cloud', name: 'late', node: 'w1' }, '172.28.0.4')
    start()
    await has('cloud-api 172.28.0.3/32', 'cloud-late 172.28.0.4/32')
    await configurations('cloud').remove('bgp')
    await has()
  })

  test('[R16.3] one pod that lacks something holds up no other, and is told', async () => {
    await configurations('lone').create(configuration())
    await runPod({ namespace: 'lone', name: 'a', node: 'w9' }, '172.28.1.1')
    await runPod({ namespace: 'lone', name: 'b' }, 'nowhere')
    await runPod({ namespace: 'lone', name: 'c' }, '172.28.1.3')
    start()
    await has('lone-c 172.28.1.3/32')
    const why = 'no FRRConfiguration in namespace frr-k8s-system selects kubernetes.io/hostname=w9'
    await until('it is told', async () =>
      said(await configurations('lone').get('bgp')).includes(
        'ServiceConfigReady False Service config create error occurred ' +
          `Pod lone/a: ${why}, for node w9; ` +
          'left out: Pod lone/b: "nowhere" of label predictableip is no address',
      )
        ? true
        : undefined,
    )
    await routes().create(routersOf('w9'))
    await has('lone-a 172.28.1.1/32', 'lone-c 172.28.1.3/32')
    // Somebody edits a route: it is put back.
    const body = { spec: { bgp: { routers: [] } } }
    await routes().patch('lone-c', { type: merge, body })
    await has('lone-a 172.28.1.1/32', 'lone-c 172.28.1.3/32')
    await configurations('lone').remove('bgp')
    await has()
    for (const name of ['a', 'b', 'c']) await pods('lone').remove(name)
  })

  test('[R16.7] while infra-operator renews its Lease, nothing is written', async () => {
    const leases = verbs(cluster.admin, {
      ...{ group: 'coordination.k8s.io', version: 'v1', plural: 'leases' },
      namespace: 'openstack-operators',
    })
    await namespaces().create({ metadata: { name: 'openstack-operators' } })
    const renewTime = new Date().toISOString().replace('Z', '000Z')
    const spec = { holderIdentity: 'infra', leaseDurationSeconds: 3600, renewTime }
    await leases.create({ ...typeOf('Lease'), metadata: { name: 'c8c223a1.openstack.org' }, spec })
    await configurations('lone').create(configuration())
    await runPod({ namespace: 'lone', name: 'd' }, '172.28.1.4')
    const one = start()
    await until('it has looked', () =>
      one.log.some((line) => line.includes('writes nothing in that group')) ? true : undefined,
    )
    // What is none of infra-operator's goes on meanwhile.
    await cluster.pools.create(pool('beside', ['198.51.100.0/30']))
    await cluster.services('lone').create(asking('web', 'beside'))
    await addressOf(cluster.services('lone'), 'web')
    expect(await routed()).toEqual([])
    expect(said(await configurations('lone').get('bgp'))).toEqual([])
    await leases.remove('c8c223a1.openstack.org')
    await has('lone-d 172.28.1.4/32')
  })
})
