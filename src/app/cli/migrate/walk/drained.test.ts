// Proves what a node needs before the walk counts it as done, and that it is taken again otherwise.
import { expect, test, vi } from 'vitest'
import { nowhere } from '../../../../../test/build/terminal.ts'
import type { ApiRequest } from '../../../../edge/kube/api/client.ts'
import { ApiError } from '../../../../edge/kube/api/fault.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { type KindName, resourceOf, typeOf } from '../../../../edge/kube/kinds.ts'
import { onDrained } from './drained.ts'
import { nodesFrom } from './nodeProgress.ts'
import { sessionsAreUp, sessionsSettle } from './sessions.ts'
import { listed, type Walk } from './walk.ts'

const namespace = 'metallb-system'
type Json = Readonly<Record<string, unknown>>

/** An API server with these objects; those of Berth and MetalLB are in one namespace. */
function stand() {
  const objects = new Map<string, Json>()
  const call = async ({ method, path, body, answer }: ApiRequest): Promise<unknown> => {
    if (method === 'PUT') objects.set(path, body as Json)
    if (method === 'DELETE') objects.delete(path)
    const found = objects.get(path)
    if (found !== undefined) return found
    if (path.endsWith('/secrets')) return { items: [] }
    if (answer !== 'bytes') {
      const said = { request: `${method} ${path}`, code: 404, reason: 'NotFound', message: 'none' }
      throw new ApiError({ ...said, status: undefined, retryAfterMs: undefined })
    }
    const plural = path.split('/').at(-1)
    const items = [...objects].filter(([at]) => at.split('/').at(-2) === plural)
    const list = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' } }
    return Buffer.from(JSON.stringify({ ...list, items: items.map(([, object]) => object) }))
  }
  const unused = (): never => {
    throw new Error('not used in this test')
  }
  const api = { call, stream: unused, close: unused }
  const walk: Walk = {
    ...{
      api,
      io: nowhere,
      namespace,
      withinMs: 0,
      settleMs: 0,
      asksWire: false,
      acceptsDownPeers: false,
    },
  }
  const wide: readonly KindName[] = ['Node', 'BGPSession']
  const pathTo = (kind: KindName, name: string) =>
    pathOf(wide.includes(kind) ? resourceOf(kind) : resourceOf(kind, namespace), name)
  const put = (kind: KindName, name: string, given: Json) => {
    const metadata = {
      name,
      namespace,
      uid: name,
      resourceVersion: '1',
      ...(given['metadata'] ?? {}),
    }
    objects.set(pathTo(kind, name), { ...typeOf(kind), ...given, metadata })
  }
  const drop = (kind: KindName, name: string) => objects.delete(pathTo(kind, name))
  const has = (kind: KindName, name: string) => objects.has(pathTo(kind, name))
  const nodeNow = async () => {
    const [node] = nodesFrom(await listed(walk, 'Node'), [])
    if (node === undefined) throw new Error('no node')
    return node
  }
  put('Node', 'a', {})
  return { walk, put, drop, has, nodeNow }
}

test('[R14.1] a node whose check failed is taken again, and done once it holds', async () => {
  const { walk, put, drop, nodeNow } = stand()
  const status = {
    metadata: {},
    status: { node: 'a', serviceName: 'web', serviceNamespace: 'shop' },
  }
  put('Service', 'web', {
    metadata: { namespace: 'shop' },
    spec: { type: 'LoadBalancer', ports: [] },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } },
  })
  put('ServiceBGPStatus', 'bgp-1', status)
  const lost = onDrained(walk, await nodeNow(), async () => void drop('ServiceBGPStatus', 'bgp-1'))
  await expect(lost).rejects.toThrow('a no longer announces shop/web by BGP')
  expect(await nodeNow()).toMatchObject({ isUnderWay: true })
  await onDrained(walk, await nodeNow(), async () => put('ServiceBGPStatus', 'bgp-1', status))
  expect(await nodeNow()).toMatchObject({ isUnderWay: false })
})

/** A Berth whose speakers have this argument, and a peer that is in use. */
function peering(backend: string) {
  const progress = stand()
  const { put } = progress
  const containers = [{ name: 'speaker', args: [`--bgp-backend=${backend}`] }]
  put('DaemonSet', 'berth-speaker', { spec: { template: { spec: { containers } } } })
  put('IPAddressPool', 'lan', { spec: { addresses: ['192.0.2.0/24'] } })
  put('BGPAdvertisement', 'all', { spec: {} })
  put('BGPPeer', 'tor', { spec: { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1' } })
  return progress
}
const session = (bgpStatus: string) => ({ status: { node: 'a', peer: 'tor', bgpStatus } })

test.each(['berth', 'frr', 'frr-k8s'])(
  '[R14.1] with --bgp-backend=%s a node stays drained without a session',
  async (backend) => {
    const { walk, put } = peering(backend)
    const why = 'Berth on a reports no BGP session with tor'
    await expect(sessionsAreUp(walk, 'a')).rejects.toThrow(why)
    put('BGPSession', 'a-tor', session('Idle'))
    await expect(sessionsAreUp(walk, 'a')).rejects.toThrow(why)
    put('BGPSession', 'a-tor', session('Established'))
    await sessionsAreUp(walk, 'a')
  },
)

test.each([
  { backend: 'berth', stays: false },
  { backend: 'frr', stays: false },
  { backend: 'frr-k8s', stays: true },
])(
  '[R14.1] with --bgp-backend=$backend what MetalLB writes for frr-k8s on its way out stays: $stays',
  async ({ backend, stays }) => {
    const { walk, put, has } = peering(backend)
    const write = () => put('FRRConfiguration', 'metallb-a', { spec: {} })
    write()
    const up = sessionsAreUp({ ...walk, withinMs: 10_000 }, 'a')
    await vi.waitFor(() => expect(has('FRRConfiguration', 'metallb-a')).toBe(stays))
    write()
    await vi.waitFor(() => expect(has('FRRConfiguration', 'metallb-a')).toBe(stays))
    put('BGPSession', 'a-tor', session('Established'))
    await up
  },
)

test('[R14.1] a node has time for the sessions of MetalLB only where it has peers', async () => {
  const { walk, drop } = peering('berth')
  const patient = { ...walk, settleMs: 60_000, io: { ...nowhere, signal: AbortSignal.abort() } }
  await expect(sessionsSettle(patient, 'a')).rejects.toThrow("MetalLB's BGP sessions on a come up")
  drop('BGPPeer', 'tor')
  await sessionsSettle(patient, 'a')
})
