// Does what a node announces follow the API, and is it reported as MetalLB reports it? On a real API,
// with a wire that only remembers.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { core, type KubeObject, merge, verbs } from './cluster.ts'
import { type Cluster, ownNamespace, pool, startCluster } from './controllers.ts'
import {
  advertisement,
  aNode,
  eth0,
  isReady,
  Ring,
  type RunningSpeaker,
  runSpeaker,
  served,
  settle,
  speakerVerbs,
} from './speakers.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
const nodes = ['node-a', 'node-b', 'node-c']
const exclude = 'node.kubernetes.io/exclude-from-external-load-balancers'
let cluster: Cluster
let api: ReturnType<typeof speakerVerbs>
let ring: Ring
let running: RunningSpeaker[] = []
let namespace = ''
let at = 0

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster()
  api = speakerVerbs(cluster.admin)
  for (const name of nodes) await api.nodes.create(aNode(name))
  await api.pools.create(pool('lan', ['192.0.2.0/24']))
  await api.advertisements.create(advertisement('lan'))
  // Pods are let in only where there is one, which nobody makes here.
  const accounts = verbs(cluster.admin, core('serviceaccounts', ownNamespace))
  await accounts.create({ metadata: { name: 'default' } }).catch(() => undefined)
})
afterAll(async () => {
  await cluster?.stop()
})
beforeEach(async () => {
  if (!isHere) return
  ring = new Ring()
  namespace = `speaker-${++at}`
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
  if (!isHere) return
  const services = verbs(cluster.admin, core('services', namespace))
  for (const { metadata } of (await services.list()).items) await services.remove(metadata.name)
  await api.statuses.removeAll()
})

async function start(...names: readonly string[]): Promise<RunningSpeaker[]> {
  const started = names.map((node) => runSpeaker(cluster.kube, { ring, node }))
  running.push(...started)
  await Promise.all(started.map(isReady))
  return started
}

const web = (ip: string) => served(cluster.admin, namespace, { name: 'web', ip })
const ownersOf = (ip: string) => running.filter((one) => one.answers().includes(ip))
const ownerOf = (ip: string) =>
  until(`one answers for ${ip}`, () => {
    const [owner, second] = ownersOf(ip)
    return second === undefined ? owner : undefined
  })
const nodeOf = ({ status }: KubeObject): unknown => status?.['node']
/** Told to all: what was announced is then known to the others too. */
const reportOf = async (node: string) => {
  const report = await until(`${node} alone is reported`, async () => {
    const { items } = await api.statuses.list()
    const [status, second] = items
    return second === undefined && status && nodeOf(status) === node ? status : undefined
  })
  await settle()
  return report
}
const eventsOf = async (): Promise<string[]> => {
  const { items } = await verbs(cluster.admin, core('events', namespace)).list()
  return items.map((event) => {
    const { reason, message } = event as unknown as { reason: string; message: string }
    return `${reason}: ${message}`
  })
}
const told = (what: string): Promise<true> =>
  until(`told: ${what}`, async () => {
    return (await eventsOf()).some((text) => text.startsWith(what)) || undefined
  })
const speaksOf = (plural: string) => (path: string) => path.includes(`/${plural}`)

describe.skipIf(!isHere)('announcing', () => {
  test('[M1.8] one node answers and reports it, with two writes and one event', async () => {
    await start(...nodes)
    await web('192.0.2.1')
    const owner = await ownerOf('192.0.2.1')
    expect(owner.orders).toEqual(['probe 192.0.2.1'])
    const { node } = owner
    const { metadata, status } = await reportOf(node)
    expect(metadata.name).toMatch(/^l2-/)
    expect(metadata.labels).toEqual({
      'metallb.io/node': node,
      'metallb.io/service-name': 'web',
      'metallb.io/service-namespace': namespace,
    })
    expect(status).toEqual({ node, serviceName: 'web', serviceNamespace: namespace })
    await told('nodeAssigned')
    await settle()
    const written = running.flatMap((one) => one.writes()).filter(speaksOf('servicel2statuses'))
    expect(written).toHaveLength(2)
    const message = `nodeAssigned: announcing from node "${node}" with protocol "layer2"`
    expect(await eventsOf()).toEqual([message])
  })

  test('[M1.8] the interfaces of an advertisement are reported, and all are none', async () => {
    const [one] = await start('node-a')
    await web('192.0.2.2')
    await reportOf('node-a')
    const body = { spec: { interfaces: ['eth9', 'eth0'] } }
    await api.advertisements.patch('lan', { type: merge, body })
    await until('the interfaces are reported', async () => {
      const { status } = await reportOf('node-a')
      const { interfaces } = status as { interfaces?: object[] }
      return interfaces?.length === 2 ? true : undefined
    })
    await api.advertisements.patch('lan', { type: merge, body: { spec: { interfaces: null } } })
    await until('all are reported', async () => {
      return (await reportOf('node-a')).status?.['interfaces'] === undefined ? true : undefined
    })
    expect(one?.orders.filter((order) => order.startsWith('withdraw'))).toEqual([])
  })

  test('a node dies: another takes over without a probe, in three writes', async () => {
    await start(...nodes)
    await web('192.0.2.3')
    const dead = await ownerOf('192.0.2.3')
    await reportOf(dead.node)
    ring.lose(dead.node)
    running = running.filter((one) => one !== dead)
    const heir = await ownerOf('192.0.2.3')
    expect(heir.orders).toEqual(['burst 192.0.2.3'])
    await reportOf(heir.node)
    await settle()
    const written = running.flatMap((one) => one.writes()).filter(speaksOf('servicel2statuses'))
    expect(written.map((text) => text.split(' ')[0])).toEqual(['POST', 'PATCH', 'DELETE'])
    await dead.stop()
  })

  test('[R8.4] drained by its label a node hands over, and takes back when it is gone', async () => {
    await start(...nodes)
    await web('192.0.2.4')
    const first = await ownerOf('192.0.2.4')
    const label = (value: string | null) =>
      api.nodes.patch(first.node, {
        type: merge,
        body: { metadata: { labels: { [exclude]: value } } },
      })
    await reportOf(first.node)
    await label('berth-drain')
    const second = await until('another answers', () => {
      const [owner] = ownersOf('192.0.2.4')
      return owner === first ? undefined : owner
    })
    await reportOf(second.node)
    await until('the first has let go', () => first.orders.length === 2 || undefined)
    expect(first.orders).toEqual(['probe 192.0.2.4', 'withdraw 192.0.2.4'])
    await label(null)
    await reportOf(first.node)
    expect(first.orders.at(-1)).toBe('burst 192.0.2.4')
  })

  test('asked to end it says so, and answers until others have taken over', async () => {
    const both = await start('node-a', 'node-b')
    await web('192.0.2.5')
    const first = await ownerOf('192.0.2.5')
    await reportOf(first.node)
    const ended = first.stop()
    const heir = both.find((one) => one !== first)
    await until('the other answers', () => heir?.answers().includes('192.0.2.5') || undefined)
    expect(first.answers()).toEqual(['192.0.2.5'])
    await ended
    running = running.filter((one) => one !== first)
    expect(first.orders).toEqual(['probe 192.0.2.5'])
    expect(heir?.orders).toEqual(['burst 192.0.2.5'])
  })

  test('what another machine has is not reported, and asked for again by who comes', async () => {
    const taken = '192.0.2.12'
    for (const node of ['node-a', 'node-a', 'node-b']) {
      const one = runSpeaker(cluster.kube, { ring, node, taken })
      running.push(one)
      await isReady(one)
      if ((await verbs(cluster.admin, core('services', namespace)).list()).items.length === 0) {
        await web(taken)
      }
      await until('it is asked for', () => one.orders.length > 0 || undefined)
      await told('announceFailed')
      await settle()
      expect(one.orders).toEqual([`probe ${taken}`])
      const announced = one.speaker.protocols.flatMap(({ report }) => [...report.announced()])
      expect(announced).toEqual([])
      await one.stop()
      running = []
    }
    expect((await api.statuses.list()).items).toEqual([])
    const said = await eventsOf()
    expect(said.filter((text) => text.startsWith('nodeAssigned'))).toEqual([])
    expect(said).toContain(
      `announceFailed: another machine has ${taken}: 02:00:00:00:00:09 on eth0`,
    )
  })

  test('after a restart nothing is probed, told or written again', async () => {
    const [before] = await start('node-a')
    await web('192.0.2.6')
    await reportOf('node-a')
    await told('nodeAssigned')
    await before?.stop()
    running = []
    const [after] = await start('node-a')
    await ownerOf('192.0.2.6')
    await settle()
    expect(after?.orders).toEqual(['burst 192.0.2.6'])
    expect(after?.writes().filter(speaksOf('servicel2statuses'))).toEqual([])
    expect(await eventsOf()).toHaveLength(1)
  })
})

describe.skipIf(!isHere)('reporting', () => {
  test.each([
    { of: 'a Service that another announces now', isThere: true },
    { of: 'a Service that is gone', isThere: false },
  ])('what a node left behind that is no more is cleared: of $of', async ({ isThere }) => {
    const [serviceName, node] = [isThere ? 'web' : 'gone', 'node-gone']
    const labels = {
      'metallb.io/node': node,
      'metallb.io/service-name': serviceName,
      'metallb.io/service-namespace': namespace,
    }
    const kind = { apiVersion: 'metallb.io/v1beta1', kind: 'ServiceL2Status' }
    const metadata = { name: 'l2-left', namespace: ownNamespace, labels }
    await api.statuses.create({ ...kind, metadata, spec: {} })
    const status = { node, serviceName, serviceNamespace: namespace }
    await api.statuses.patch('l2-left', { type: merge, body: { status }, subresource: 'status' })
    if (isThere) await web('192.0.2.7')
    ring.hold()
    await start('node-a', 'node-b')
    ring.release()
    const isLeft = async () =>
      (await api.statuses.list()).items.some((one) => one.metadata.name === 'l2-left')
    await until('it is cleared', async () => ((await isLeft()) ? undefined : true))
    await settle()
    const deleted = running
      .flatMap((one) => one.writes())
      .filter((text) => /DELETE .*\/l2-left$/.test(text))
    expect(deleted).toHaveLength(1)
  })

  test('what another deletes again and again is not written again and again', async () => {
    const [one] = await start('node-a')
    await web('192.0.2.8')
    const { metadata } = await reportOf('node-a')
    await api.statuses.remove(metadata.name)
    await settle()
    const written = one?.writes().filter(speaksOf('servicel2statuses')) ?? []
    expect(written).toHaveLength(2)
    expect(one?.answers()).toEqual(['192.0.2.8'])
  })

  test('[R8.5] the node and what is wrong with it is in its NodeInterfaces', async () => {
    const [one] = await start('node-a')
    await web('192.0.2.9')
    const owner = await ownerOf('192.0.2.9')
    const mac = '02:00:00:00:00:99' as (typeof eth0)['mac']
    const seen = { address: owner.answers()[0], interface: 'eth0', mac, isAnnounced: true }
    one?.wire({ kind: 'sightings', sightings: [{ kind: 'foreign-owner', ...seen } as never] })
    const spec = await until('the problem is reported', async () => {
      const { spec } = (await api.reports.get('node-a').catch(() => undefined)) ?? {}
      return spec && JSON.stringify(spec).includes('foreign-owner') ? spec : undefined
    })
    expect(spec).toMatchObject({
      interfaces: [{ name: 'eth0', mac: eth0.mac, carrier: true }],
      problems: [{ code: 'foreign-owner', object: `Service/${namespace}/web` }],
    })
    await until('the event is there', async () => {
      return (await eventsOf()).some((text) => text.includes(mac)) || undefined
    })
    const { metadata } = await api.reports.get('node-a')
    expect(metadata).toMatchObject({ ownerReferences: [{ kind: 'Node', name: 'node-a' }] })
  })

  test('[M1.9] whether it can use the configuration is in its ConfigurationState', async () => {
    await start('node-a')
    const resultIs = (wanted: string) =>
      until(`the result is ${wanted}`, async () => {
        const state = await api.states.get('speaker-node-a').catch(() => undefined)
        return state?.status?.['result'] === wanted ? state : undefined
      })
    const { metadata } = await resultIs('Valid')
    expect(metadata.labels).toEqual({
      'metallb.io/component-type': 'speaker',
      'metallb.io/node-name': 'node-a',
    })
    await api.pools.create(pool('twice', ['192.0.2.0/28']))
    const { status } = await resultIs('Invalid')
    expect(JSON.stringify(status)).toContain('configReconcilerValid')
    await api.pools.remove('twice')
    await resultIs('Valid')
  })
})

describe.skipIf(!isHere)('in trouble', () => {
  test("silent while MetalLB's speaker runs on the node", async () => {
    const labels = { app: 'metallb', component: 'speaker' }
    const spec = { nodeName: 'node-a', containers: [{ name: 'speaker', image: 'speaker' }] }
    const metadata = { name: 'speaker-x', namespace: ownNamespace, labels }
    await api.pods.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec })
    const isReady = (status: string) => {
      const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status }] } }
      return api.pods.patch('speaker-x', { type: merge, subresource: 'status', body })
    }
    await isReady('True')
    await web('192.0.2.10')
    const one = runSpeaker(cluster.kube, { ring, node: 'node-a' })
    running.push(one)
    await until('it waits', () => one.speaker.waitsFor)
    await settle()
    expect([one.orders, ring.live.size]).toEqual([[], 0])
    await isReady('False')
    await ownerOf('192.0.2.10')
    await isReady('True')
    await until('it waits again', () => one.speaker.waitsFor)
    await api.pods.remove('speaker-x', { gracePeriodSeconds: 0 })
    await ownerOf('192.0.2.10')
    expect(ring.live.size).toBe(1)
  })

  test.each([
    {
      what: 'can open no socket',
      fail: ({ wire }: RunningSpeaker) => wire({ kind: 'open', interfaces: [], closed: ['eth0'] }),
      mend: ({ wire }: RunningSpeaker) => wire({ kind: 'open', interfaces: ['eth0'], closed: [] }),
      missing: 'sockets on its interfaces',
    },
    {
      what: 'has a thread that hangs',
      fail: ({ wire }: RunningSpeaker) => wire({ kind: 'working', isWorking: false }),
      mend: ({ wire }: RunningSpeaker) => wire({ kind: 'working', isWorking: true }),
      missing: 'the answering thread',
    },
  ])('[R8.2] one that $what gives up what it has until it is mended', async (trouble) => {
    await start('node-a', 'node-b')
    await web('192.0.2.13')
    const first = await ownerOf('192.0.2.13')
    await reportOf(first.node)
    trouble.fail(first)
    expect([first.speaker.isReady, first.speaker.missing]).toEqual([false, [trouble.missing]])
    const heir = await until('another has it', () =>
      running.find((one) => one !== first && one.answers().includes('192.0.2.13')),
    )
    expect(heir.orders).toEqual(['burst 192.0.2.13'])
    trouble.mend(first)
    await until('it is back', () => (first.speaker.isReady && ring.live.size === 2) || undefined)
  })

  test('an API that is not there is waited for, and who dies meanwhile is followed', async () => {
    await start('node-a', 'node-b')
    await web('192.0.2.11')
    const first = await ownerOf('192.0.2.11')
    await reportOf(first.node)
    await cluster.kube.stopApi()
    ring.lose(first.node)
    running = running.filter((one) => one !== first)
    const heir = await ownerOf('192.0.2.11')
    expect(heir.orders).toEqual(['burst 192.0.2.11'])
    const late = runSpeaker(cluster.kube, { ring, node: 'node-c' })
    running.push(late)
    await settle()
    expect(late.speaker.isReady).toBe(false)
    // Somebody who asks for it may have its port for a moment.
    await until('the API is back', () => {
      return cluster.kube.startApi().then(
        () => true as const,
        () => undefined,
      )
    })
    await isReady(late)
    await reportOf((await ownerOf('192.0.2.11')).node)
    await first.stop()
  })
})
