// Does frr-k8s get what a node is to announce? On a real API, with the speaker that keeps the node's
// FRRConfiguration, and nobody who acts on it.
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { metricsText } from '../../src/edge/kube/serve/metricsText.ts'
import { core, type KubeObject, merge, verbs } from './cluster.ts'
import { type Cluster, ownNamespace, pool, startCluster } from './controllers.ts'
import { defineCrd } from './crds.ts'
import { frrDefinitions, frrGroup } from './frrDefinitions.ts'
import { aNode, isReady, Ring, type RunningSpeaker, runSpeaker, served } from './speakers.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
const node = 'node-a'
const metallb = (plural: string, version = 'v1beta1'): Resource => ({
  ...{ group: 'metallb.io', version, plural, namespace: ownNamespace },
})
const group = frrGroup
const peerType = { apiVersion: 'metallb.io/v1beta2', kind: 'BGPPeer' }

let cluster: Cluster
let running: RunningSpeaker | undefined
const api = () => ({
  nodes: verbs(cluster.admin, core('nodes')),
  configs: verbs(cluster.admin, {
    ...{ group, version: 'v1beta1', plural: 'frrconfigurations', namespace: ownNamespace },
  }),
  states: verbs(cluster.admin, { group, version: 'v1beta1', plural: 'frrnodestates' }),
  sessionStates: verbs(cluster.admin, {
    ...{ group, version: 'v1beta1', plural: 'bgpsessionstates', namespace: ownNamespace },
  }),
  sessions: verbs(cluster.admin, {
    ...{ group: 'berth.dev', version: 'v1alpha1', plural: 'bgpsessions' },
  }),
  peers: verbs(cluster.admin, metallb('bgppeers', 'v1beta2')),
  reports: verbs(cluster.admin, {
    ...{ group: 'berth.dev', version: 'v1alpha1', plural: 'nodeinterfaces' },
  }),
})

type Spec = {
  readonly nodeSelector: { readonly matchLabels: Readonly<Record<string, string>> }
  readonly bgp: {
    readonly routers: readonly {
      readonly prefixes?: readonly string[]
      readonly neighbors: readonly Readonly<Record<string, unknown>>[]
    }[]
  }
}
const specOf = ({ spec }: KubeObject): Spec => spec as unknown as Spec
const found = async (): Promise<Spec> => specOf(await api().configs.get(`metallb-${node}`))
const prefixes = async (): Promise<string> =>
  (await found()).bgp.routers.flatMap((one) => one.prefixes ?? []).join(' ')
const has = (wanted: string) =>
  until(`prefixes ${wanted}`, async () =>
    (await prefixes().catch(() => 'none')) === wanted ? true : undefined,
  )

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster()
  for (const { name, json } of frrDefinitions()) await defineCrd(cluster.admin, name, json)
  const body = aNode(node) as { metadata: object }
  const labels = { 'kubernetes.io/hostname': 'host-1.example.com' }
  await api().nodes.create({ ...body, metadata: { ...body.metadata, labels } })
  await verbs(cluster.admin, metallb('ipaddresspools')).create(pool('lan', ['192.0.2.0/24']))
  await verbs(cluster.admin, metallb('bgpadvertisements')).create({
    ...{ apiVersion: 'metallb.io/v1beta1', kind: 'BGPAdvertisement' },
    metadata: { name: 'lan', namespace: ownNamespace },
    spec: { ipAddressPools: ['lan'], communities: ['64513:1'] },
  })
  await api().peers.create({
    ...peerType,
    metadata: { name: 'tor', namespace: ownNamespace },
    spec: {
      ...{ myASN: 64512, peerASN: 64513, peerAddress: '10.0.0.1', holdTime: '90s' },
      ...{ sourceAddress: '10.0.0.9', localASN: 64999, passwordSecret: { name: 'tor-key' } },
    },
  })
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: 'shop' } })
})
afterEach(async () => {
  await running?.stop()
  running = undefined
})
afterAll(async () => {
  await cluster?.stop()
})

async function start(): Promise<RunningSpeaker> {
  const bgp = { by: 'frr-k8s', namespace: undefined, debounceMs: 100 } as const
  running = runSpeaker(cluster.kube, { ring: new Ring(), node, bgp })
  await isReady(running)
  return running
}

const writes = (one: RunningSpeaker): readonly string[] =>
  one.writes().filter((write) => write.includes('/frrconfigurations'))

describe.skipIf(!isHere)('frr-k8s', () => {
  test('[R8.19] what is there is taken over: not deleted, not emptied, and then right', async () => {
    await api().configs.create({
      ...{ apiVersion: `${group}/v1beta1`, kind: 'FRRConfiguration' },
      metadata: { name: `metallb-${node}`, namespace: ownNamespace, labels: { made: 'before' } },
      spec: {
        nodeSelector: { matchLabels: { 'kubernetes.io/hostname': node } },
        bgp: { routers: [{ asn: 64512, prefixes: ['192.0.2.1/32'], neighbors: [] }] },
      },
    })
    await served(cluster.admin, 'shop', { name: 'web', ip: '192.0.2.1' })
    const before = await api().configs.get(`metallb-${node}`)
    const one = await start()
    const spec = await until('our own', async () => {
      const now = await found()
      return now.nodeSelector.matchLabels['kubernetes.io/hostname'] === node ? undefined : now
    })
    const after = await api().configs.get(`metallb-${node}`)
    expect(after.metadata.uid).toBe(before.metadata.uid)
    expect(after.metadata.labels).toEqual({ made: 'before' })
    expect(spec.nodeSelector).toEqual({
      matchLabels: { 'kubernetes.io/hostname': 'host-1.example.com' },
    })
    expect(spec.bgp.routers[0]).toMatchObject({ asn: 64512, prefixes: ['192.0.2.1/32'] })
    expect(spec.bgp.routers[0]?.neighbors[0]).toMatchObject({
      ...{ address: '10.0.0.1', asn: 64513, sourceaddress: '10.0.0.9', localASN: 64999 },
      ...{ holdTime: '90s', passwordSecret: { name: 'tor-key', namespace: ownNamespace } },
      toAdvertise: {
        allowed: { prefixes: ['192.0.2.1/32'] },
        withCommunity: [{ community: '64513:1', prefixes: ['192.0.2.1/32'] }],
      },
    })
    expect(writes(one).every((write) => write.startsWith('PUT '))).toBe(true)
  })

  test('[R8.19] Services come and go with one write each, and a restart writes nothing new', async () => {
    const first = await start()
    await has('192.0.2.1/32')
    await served(cluster.admin, 'shop', { name: 'more', ip: '192.0.2.2' })
    await has('192.0.2.1/32 192.0.2.2/32')
    await verbs(cluster.admin, core('services', 'shop')).remove('more')
    await has('192.0.2.1/32')
    expect(writes(first).filter((write) => write.startsWith('DELETE'))).toEqual([])
    await first.stop()
    const { metadata } = await api().configs.get(`metallb-${node}`)
    const second = await start()
    await until('it has looked', () => (writes(second).length > 0 ? true : undefined))
    const again = await api().configs.get(`metallb-${node}`)
    expect(again.metadata.generation).toBe(metadata.generation)
  })

  test('[R8.10] what frr-k8s says of a session is a BGPSession, and a metric', async () => {
    const labels = { [`${group}/node`]: node, [`${group}/peer`]: '10.0.0.1', [`${group}/vrf`]: '' }
    await api().sessionStates.create({
      ...{ apiVersion: `${group}/v1beta1`, kind: 'BGPSessionState' },
      metadata: { name: `${node}-x`, namespace: ownNamespace, labels },
      spec: {},
    })
    const said = { node, peer: '10.0.0.1', vrf: '', bgpStatus: 'Established', bfdStatus: 'N/A' }
    const put = (status: object) =>
      api().sessionStates.patch(`${node}-x`, {
        ...{ type: merge, subresource: 'status', body: { status } },
      })
    await put(said)
    const one = await start()
    const status = await until(
      'a session',
      async () => {
        const [found] = (await api().sessions.list()).items
        const shown = found?.['status'] as Record<string, unknown> | undefined
        return shown?.['bgpStatus'] === 'Established' ? shown : undefined
      },
      60_000,
    )
    expect(status).toMatchObject({ node, peer: 'tor', peerAddress: '10.0.0.1', routesSent: 1 })
    const metrics = one.speaker.protocols.flatMap(({ report }) => report.metrics())
    expect(metricsText(metrics)).toContain('metallb_bgp_session_up{peer="10.0.0.1:179",vrf=""} 1')
    await put({ ...said, bgpStatus: 'Active' })
    await until(
      'it is down',
      async () => {
        const text = JSON.stringify(await api().sessions.list())
        return text.includes('"bgpStatus":"Active"') ? true : undefined
      },
      60_000,
    )
  })

  test('[R8.19] what frr-k8s says of it, and what it cannot do, is a problem of the node', async () => {
    await api().states.create({
      ...{ apiVersion: `${group}/v1beta1`, kind: 'FRRNodeState' },
      ...{ metadata: { name: node }, spec: {} },
    })
    await api().states.patch(node, {
      ...{ type: merge, subresource: 'status' },
      body: { status: { lastConversionResult: 'failed: secret tor-key not found' } },
    })
    await api().peers.create({
      ...peerType,
      metadata: { name: 'twice', namespace: ownNamespace },
      spec: { myASN: 64600, peerASN: 64513, peerAddress: '10.0.0.2' },
    })
    await start()
    const problems = await until('both', async () => {
      const text = JSON.stringify(
        await api()
          .reports.get(node)
          .catch(() => ({})),
      )
      return text.includes('frr-not-configured') && text.includes('one own AS') ? text : undefined
    })
    expect(problems).toContain('secret tor-key not found')
    expect(problems).toContain('peer-not-supported')
    expect((await found()).bgp.routers).toHaveLength(1)
  })
})
