// What does a step of `berth migrate` need before it counts as done, and what if somebody undoes it, or
// the API server is away? On a real API, with the objects that programs would write.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { beginStep, endStep } from '../../src/app/cli/migrate/walk/baseline.ts'
import { onDrained } from '../../src/app/cli/migrate/walk/drained.ts'
import { liveWorld } from '../../src/app/cli/migrate/walk/liveWorld.ts'
import { nodesFrom } from '../../src/app/cli/migrate/walk/nodeProgress.ts'
import { patientApi } from '../../src/app/cli/migrate/walk/patientApi.ts'
import { sessionsAreUp, sessionsSettle } from '../../src/app/cli/migrate/walk/sessions.ts'
import { listed, readOne, type Walk } from '../../src/app/cli/migrate/walk/walk.ts'
import { runSteps } from '../../src/app/cli/migrate/walk/walkSteps.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { ifThere } from '../../src/edge/kube/api/notFound.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { type KindName, resourceOf, rowOf, typeOf } from '../../src/edge/kube/kinds.ts'
import { berth, folderOf, nowhere } from '../build/terminal.ts'
import { core, merge, verbs } from './cluster.ts'
import { type Cluster, ownNamespace as namespace, startCluster } from './controllers.ts'
import { defineCrd } from './crds.ts'
import { frrDefinitions } from './frrDefinitions.ts'
import { connectionFor, kubeconfigFor } from './harness.ts'
import { until } from './waits.ts'

let cluster: Cluster
let said = ''
const made: { readonly kind: KindName; readonly name: string }[] = []
const io = {
  ...nowhere,
  err(text: string) {
    said += text
  },
}

const walkOn = (api: Api, more: Partial<Walk> = {}): Walk => ({
  ...{ api, direct: api, io, namespace, withinMs: 0, settleMs: 0 },
  ...{ asksWire: false, acceptsDownPeers: false },
  programs: { kubectl: 'kubectl', helm: 'helm' },
  ...more,
})
const placeOf = (kind: KindName) =>
  resourceOf(kind, rowOf(kind).scope === 'cluster' ? undefined : namespace)

/** With its status; only that of a BGPSession is written with the rest. */
async function put(kind: KindName, name: string, given: object): Promise<void> {
  const all = verbs(cluster.admin, placeOf(kind))
  const { status } = given as { readonly status?: object }
  await all.create({ ...typeOf(kind), ...given, metadata: { name } })
  made.push({ kind, name })
  if (status === undefined || kind === 'BGPSession') return
  await all.patch(name, { type: merge, subresource: 'status', body: { status } })
}
const drop = (kind: KindName, name: string) =>
  ifThere(cluster.admin.call({ method: 'DELETE', path: pathOf(placeOf(kind), name) }))
const has = async (kind: KindName, name: string) =>
  (await readOne(walkOn(cluster.admin), {
    ...{ kind, name },
    ...(rowOf(kind).scope === 'cluster' ? {} : { namespace }),
  })) !== undefined
const gives = (ip: string) => ({ status: { loadBalancer: { ingress: [{ ip }] } } })
const web = { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] }, ...gives('192.0.2.7') }
const shows = (ip: string) =>
  verbs(cluster.admin, placeOf('Service')).patch('web', {
    type: merge,
    subresource: 'status',
    body: gives(ip),
  })

async function nodeNow() {
  const [node] = nodesFrom(await listed(walkOn(cluster.admin), 'Node'), [])
  if (node === undefined) throw new Error('no node')
  return node
}

const container = (name: string, args: readonly string[], env: readonly object[] = []) => ({
  selector: { matchLabels: { part: name } },
  template: {
    metadata: { labels: { part: name } },
    spec: { containers: [{ name: 'speaker', image: 'x', args, env }] },
  },
})

/** A Berth whose speakers have this argument, and a peer that is in use. */
async function peering(backend: string): Promise<void> {
  await put('Node', 'a', {})
  await put('DaemonSet', 'berth-speaker', {
    spec: container('berth', [`--bgp-backend=${backend}`]),
  })
  await put('IPAddressPool', 'lan', { spec: { addresses: ['192.0.2.0/24'] } })
  await put('BGPAdvertisement', 'all', { spec: {} })
  const spec = { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1' }
  await put('BGPPeer', 'tor', { spec })
}
const session = (bgpStatus: string) => ({
  status: { node: 'a', peer: 'tor', peerAddress: '192.0.2.1', bgpStatus },
})

/** Left out, not failed, where there is no Kubernetes to run on. */
describe.skipIf(inject('kube') === undefined)('steps of a migration', () => {
  beforeAll(async () => {
    cluster = await startCluster()
    for (const { name, json } of frrDefinitions()) await defineCrd(cluster.admin, name, json)
  }, 120_000)
  afterAll(() => cluster?.stop())
  beforeEach(async () => {
    for (const { kind, name } of made.splice(0)) await drop(kind, name)
    await drop('ConfigMap', 'berth-migration')
    said = ''
  })

  test('[R14.1] a node whose check failed is taken again, and done once it holds', async () => {
    const walk = walkOn(cluster.admin)
    const status = { status: { node: 'a', serviceName: 'web', serviceNamespace: namespace } }
    await put('Node', 'a', {})
    await put('Service', 'web', web)
    await put('ServiceBGPStatus', 'bgp-1', status)
    const lost = onDrained(
      walk,
      await nodeNow(),
      async () => void (await drop('ServiceBGPStatus', 'bgp-1')),
    )
    await expect(lost).rejects.toThrow(`a no longer announces ${namespace}/web by BGP`)
    expect(await nodeNow()).toMatchObject({ isUnderWay: true })
    await onDrained(walk, await nodeNow(), () => put('ServiceBGPStatus', 'bgp-1', status))
    expect(await nodeNow()).toMatchObject({ isUnderWay: false })
  })

  test.each(['berth', 'frr', 'frr-k8s'])(
    '[R14.1] with --bgp-backend=%s a node stays drained without a session',
    async (backend) => {
      const walk = walkOn(cluster.admin)
      await peering(backend)
      const why = 'Berth on a reports no BGP session with tor'
      await expect(sessionsAreUp(walk, 'a')).rejects.toThrow(why)
      await put('BGPSession', 'a-tor', session('Idle'))
      await expect(sessionsAreUp(walk, 'a')).rejects.toThrow(why)
      await drop('BGPSession', 'a-tor')
      await put('BGPSession', 'a-tor', session('Established'))
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
      await peering(backend)
      const is = () => has('FRRConfiguration', 'metallb-a')
      const write = async () => {
        if (!(await is())) await put('FRRConfiguration', 'metallb-a', { spec: {} })
      }
      const seen = () =>
        until(`it stays: ${stays}`, async () => ((await is()) === stays ? true : undefined))
      await write()
      const up = sessionsAreUp(walkOn(cluster.admin, { withinMs: 30_000 }), 'a')
      await seen()
      await write()
      await seen()
      await put('BGPSession', 'a-tor', session('Established'))
      await up
    },
  )

  test('[R14.1] a node has time for the sessions of MetalLB only where it has peers', async () => {
    await peering('berth')
    const patient = walkOn(cluster.admin, { settleMs: 60_000, withinMs: 0 })
    const stopping = new AbortController()
    const settling = sessionsSettle({ ...patient, io: { ...io, signal: stopping.signal } }, 'a')
    const stopped = expect(settling).rejects.toThrow("MetalLB's BGP sessions on a come up")
    await until('it waits', () => said.includes('60 s') || undefined)
    stopping.abort()
    await stopped
    await drop('BGPPeer', 'tor')
    await sessionsSettle(patient, 'a')
  })

  test('[R14.1] what changed in a step that was killed is seen by whoever goes on, once', async () => {
    const walk = walkOn(cluster.admin)
    await put('Service', 'web', web)
    await beginStep(walk, 'controller')
    await shows('192.0.2.9')
    // The same step again, and then the next one, where the kill came at the very end.
    await beginStep(walk, 'controller')
    await expect(beginStep(walk, 'node-1')).rejects.toThrow(
      'the addresses of 1 Service changed since the step controller was begun, such as ' +
        `${namespace}/web: from 192.0.2.7 to 192.0.2.9`,
    )
    await beginStep(walk, 'node-1')
    await endStep(walk)
    // Another Service of that name is another Service.
    await beginStep(walk, 'node-2')
    await drop('Service', 'web')
    await put('Service', 'web', { ...web, ...gives('192.0.2.33') })
    await endStep(walk)
  })

  test('[R14.1] a list that cannot be read is not an empty one', async () => {
    await peering('berth')
    const api = newApi(connectionFor(cluster.kube, 'nobody'))
    await expect(liveWorld(walkOn(api))).rejects.toThrow(/cannot be read: GET .*403/)
    api.close()
  })

  test('[R14.1] while the API server is away the walk waits for it, and goes on', async () => {
    await peering('berth')
    const api = newApi(connectionFor(cluster.kube, 'admin'))
    const walk = walkOn(patientApi(api, { io, withinMs: 60_000 }))
    const hasty = walkOn(patientApi(api, { io, withinMs: 500 }))
    for (const one of [walk, hasty]) await listed(one, 'Node')
    await cluster.kube.stopApi()
    const world = liveWorld(walk)
    await until('it says so', () => said.includes('waiting for the API server') || undefined)
    await cluster.kube.startApi()
    expect([...(await world).all('BGPPeer').keys()]).toEqual(['tor'])
    await cluster.kube.stopApi()
    await expect(liveWorld(hasty)).rejects.toThrow('cannot reach')
    await cluster.kube.startApi()
    api.close()
  })

  test('[R14.1] a step that somebody undoes ends the walk, and says who wrote last', async () => {
    const labels = { app: 'metallb', component: 'speaker' }
    const env = [{ name: 'METALLB_ML_LABELS', value: 'app=metallb' }]
    await put('L2Advertisement', 'all', { spec: {} })
    await put('IPAddressPool', 'lan', { spec: { addresses: ['192.0.2.0/24'] } })
    await put('Deployment', 'berth-controller', { spec: container('c', []) })
    await put('DaemonSet', 'berth-speaker', { spec: container('berth', ['--members=nodes']) })
    const speakers = verbs(cluster.admin, placeOf('DaemonSet'))
    await put('DaemonSet', 'speaker', { spec: container('metallb', [], env) })
    await speakers.patch('speaker', { type: merge, body: { metadata: { labels } } })
    const { spec } = await speakers.get('speaker')
    /** As one that keeps what is in its repository. */
    const api: Api = {
      ...cluster.admin,
      async call(request) {
        const answer = await cluster.admin.call(request)
        if (request.method === 'PUT' && request.path.endsWith('/speaker')) {
          const query = { fieldManager: 'argocd-controller' }
          await sleep(1_100)
          await speakers.patch('speaker', { type: merge, body: { spec }, query })
        }
        return answer
      },
    }
    const options = { direction: 'in', acceptsMoves: false, format: '' } as const
    const walk = walkOn(api, { withinMs: 2_000 })
    expect(await runSteps(walk, options, { all: true, name: '' })).toBe(1)
    expect(said).toContain(
      `speakers stopped: somebody undid this step: DaemonSet ${namespace}/speaker was ` +
        'last written by argocd-controller. Stop whatever keeps MetalLB as it was',
    )
  })

  test('[R14.1] MetalLB in another namespace is found, and Berth elsewhere is refused', async () => {
    const labels = { app: 'metallb', component: 'controller' }
    const there = { ...placeOf('Deployment'), namespace: 'lb' }
    await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: 'lb' } })
    const metadata = { name: 'controller', labels }
    await verbs(cluster.admin, there).create({ metadata, spec: container('metallb', []) })
    const kubeconfig = `${folderOf({ config: kubeconfigFor(cluster.kube, 'admin') })}/config`
    const migrate = (what: string, env: Readonly<Record<string, string>> = {}) =>
      berth(['migrate', what, '--kubeconfig', kubeconfig], { env })
    const plan = await migrate('plan')
    expect(plan.out).toContain('in lb, by manifests')
    expect(plan.out.replaceAll(/\s+/g, ' ')).toContain('helm install berth deploy/helm/berth -n lb')
    await put('Deployment', 'berth-controller', { spec: container('c', []) })
    const said = `Berth is in namespace ${namespace}, and MetalLB with its pools in lb`
    const step = await migrate('step')
    expect([step.exit, step.err]).toEqual([1, expect.stringContaining(said)])
    const check = await migrate('check')
    expect([check.exit, check.out]).toEqual([2, expect.stringContaining('error metallb-elsewhere')])
    const told = await migrate('plan', { METALLB_NAMESPACE: namespace })
    const why = `MetalLB is in namespace lb, and METALLB_NAMESPACE is ${namespace}`
    expect([told.exit, told.err]).toEqual([1, `berth: ${why}\n`])
  })
})
