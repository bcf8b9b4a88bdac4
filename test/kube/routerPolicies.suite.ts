// What do the shipped policies let into the routers of frr-k8s? On real Kubernetes, with the accounts
// of the controller and of a speaker, and a definition that lets everything through.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { podSpec } from '../../src/core/policy/podRoutes/nodeRouters.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { core, merge, refusal, verbs } from './cluster.ts'
import { ownNamespace } from './controllers.ts'
import { defineCrd } from './crds.ts'
import { frrGroup, openFrrDefinitions } from './frrDefinitions.ts'
import { connectionFor, findEngine, type Kube, startKube } from './harness.ts'
import { adminKubeconfig, definitionsEstablished, programAt } from './helm/programs.ts'
import { isSince } from './kubeVersion.ts'
import { aNode } from './speakers.ts'
import { until } from './waits.ts'

const engine = findEngine()
/** Since 1.30 policies are served. */
const isHere = inject('kube') !== undefined && 'folder' in engine && isSince(30)
const hostname = 'kubernetes.io/hostname'
const [own, other] = ['node-a', 'node-b']
const dryRun = { dryRun: 'All' }
let kube: Kube
let admin: Api
let controller: Api
let speaker: Api

const nodes = () => verbs(admin, core('nodes'))
const createNode = (name: string) =>
  nodes().create({ ...aNode(name), metadata: { name, labels: { [hostname]: hostOf(name) } } })
const hostOf = (node: string): string => `${node}.example.com`
const tryAs = (api: Api, body: object): Promise<unknown> => {
  const at = { group: frrGroup, version: 'v1beta1', plural: 'frrconfigurations' }
  return verbs(api, { ...at, namespace: ownNamespace }).create(body, dryRun)
}

beforeAll(async () => {
  if ('why' in engine || !isHere) return
  kube = await startKube(engine.folder, { controllers: ['serviceaccount-controller'] })
  const kubectl = programAt(inject('kubectl'), kube.folder, adminKubeconfig(kube))
  for (const folder of ['', '/openstack/rights', '/frr-k8s/rights']) {
    kubectl('apply', '-k', `deploy/kustomize${folder}`)
  }
  await definitionsEstablished(kubectl)
  admin = newApi(connectionFor(kube, 'admin'))
  for (const { name, json } of openFrrDefinitions()) await defineCrd(admin, name, json)
  for (const name of [own, other]) await createNode(name)
  const pod = join(kube.folder, 'pod.json')
  writeFileSync(pod, JSON.stringify(speakerPod))
  kubectl('create', '-f', pod)
  const as = (account: string, ...args: readonly string[]): Api => {
    const text = kubectl('create', 'token', account, '-n', ownNamespace, ...args).trim()
    const credentials = writtenCredentials({ token: { text } })
    return newApi({ ...connectionFor(kube, 'nobody'), credentials })
  }
  controller = as('berth-controller')
  speaker = as('berth-speaker', '--bound-object-kind=Pod', '--bound-object-name=berth-speaker-a')
  // Until the API server has read its policies, anything goes.
  await until('the policies are in force', async () => {
    const raw = { raw: { rawConfig: 'router bgp 64512' } }
    const tries = [
      tryAs(controller, ofController({}, {}, raw)),
      tryAs(speaker, ofSpeaker({}, {}, raw)),
      tryAs(speaker, selecting('no-such-host')),
    ]
    const answers = await Promise.allSettled(tries)
    return answers.every(({ status }) => status === 'rejected') ? true : undefined
  })
})
afterAll(async () => {
  for (const api of [admin, controller, speaker]) api?.close()
  await kube?.stop()
})

const speakerPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'berth-speaker-a', namespace: ownNamespace },
  spec: {
    nodeName: own,
    serviceAccountName: 'berth-speaker',
    containers: [{ name: 'speaker', image: 'berth' }],
  },
}

const prefixes = ['198.51.100.20/32']
/** Its own, and what is said of its router and of the neighbour. */
function specOf(host: string, router: object, neighbour: object, bgp: object = {}) {
  const toAdvertise = { allowed: { prefixes } }
  const neighbors = [{ address: '192.0.2.1', asn: 64_513, toAdvertise, ...neighbour }]
  return {
    nodeSelector: { matchLabels: { [hostname]: host } },
    bgp: { routers: [{ asn: 64_512, prefixes, neighbors, ...router }], ...bgp },
  }
}
type Of = (router: object, neighbour: object, more?: object, bgp?: object) => object
const ofController: Of = (router, neighbour, more, bgp) => ({
  ...typeOf('FRRConfiguration'),
  metadata: { name: 'alpha-db', labels: { 'bgpconfiguration.openstack.org/name': 'bgp' } },
  spec: { ...specOf(hostOf(own), router, neighbour, bgp), ...more },
})
const ofSpeaker: Of = (router, neighbour, more, bgp) => ({
  ...typeOf('FRRConfiguration'),
  metadata: { name: `metallb-${own}` },
  spec: { ...specOf(hostOf(own), router, neighbour, bgp), ...more },
})
const selecting = (host: string): object => ({
  ...ofSpeaker({}, {}),
  spec: specOf(host, {}, {}),
})

const accounts = [
  { who: 'the controller', of: ofController, api: () => controller },
  { who: 'a speaker', of: ofSpeaker, api: () => speaker },
]
const broken = 'x\nexit\nroute-map all permit 1'

describe.skipIf(!isHere).each(accounts)('the routers that $who writes', ({ of, api }) => {
  test('what Berth writes of a neighbour is accepted', async () => {
    const profile = { name: 'fast' }
    const neighbour = {
      ...{ password: 'two words, and ~!', sourceaddress: '2001:db8::1', bfdProfile: 'fast' },
      ...{ holdTime: '90s', passwordSecret: {} },
    }
    await tryAs(api(), of({ vrf: 'red' }, neighbour, {}, { bfdProfiles: [profile] }))
    await tryAs(api(), of({}, { address: undefined, interface: 'eth0.10' }))
    await tryAs(api(), of({ neighbors: undefined }, {}))
    await tryAs(api(), of({}, {}, { bgp: undefined }))
  })

  test.each([
    ['a password', {}, { password: broken }],
    ['a password that ends so', {}, { password: 'x\n' }],
    ['a source address', {}, { sourceaddress: broken }],
    ['an interface', {}, { interface: broken }],
    ['two words as an interface', {}, { interface: 'eth0 remote-as 1' }],
    ['a BFD profile', {}, { bfdProfile: broken }],
    ['an address', {}, { address: broken }],
    ['a VRF', { vrf: broken }, {}],
    ['a router ID', { id: broken }, {}],
    ['an import', { imports: [{ vrf: broken }] }, {}],
    ['the second of two', { imports: [{ vrf: 'red' }, { vrf: broken }] }, {}],
    ['EVPN', { evpn: { l2vnis: [{ vni: 1, rd: '1:1\nexit' }] } }, {}],
  ])('no text of its own by a line break: %s', async (_, router, neighbour) => {
    const refused = await refusal(tryAs(api(), of(router, neighbour)))
    expect(refused).toMatchObject({ code: 403, reason: 'Forbidden' })
  })

  test('nor by the name of a BFD profile that nobody has', async () => {
    const bgp = { bfdProfiles: [{ name: 'fast' }, { name: broken }] }
    const refused = await refusal(tryAs(api(), of({}, {}, {}, bgp)))
    expect(refused).toMatchObject({ code: 403, reason: 'Forbidden' })
  })
})

describe.skipIf(!isHere)('the routers', () => {
  test('the controller sends the routes of a neighbour nowhere else', async () => {
    const nextHop = { ipv4: '192.0.2.66' }
    const elsewhere = { toAdvertise: { allowed: { prefixes }, nextHop } }
    const refused = await refusal(tryAs(controller, ofController({}, elsewhere)))
    expect(refused.message).toContain('advertises only its own addresses')
    await tryAs(speaker, ofSpeaker({}, elsewhere))
  })

  // frr-k8s takes the one of the node's own object for all routes of the neighbour.
  test('[R16.2] a route to a pod is accepted, although the routers of its node name a next hop', async () => {
    const toAdvertise = { allowed: { mode: 'all' }, nextHop: { ipv4: '192.0.2.66' } }
    const read = decode({
      ...typeOf('FRRConfiguration'),
      metadata: { name: own, namespace: 'frr-k8s-system', uid: own, resourceVersion: '1' },
      spec: specOf(hostOf(own), {}, { toAdvertise, toReceive: { allowed: { mode: 'all' } } }),
    })
    if (read.kind !== 'view' || read.view.kind !== 'FRRConfiguration') throw new Error(read.kind)
    const { nodeSelector } = specOf(hostOf(own), {}, {})
    const spec = podSpec({ source: read.view, nodeSelector }, prefixes)
    await tryAs(controller, { ...ofController({}, {}), spec })
  })

  const notOwn = 'selects the node of its pod'
  test('a speaker selects its own node', async () => {
    await tryAs(speaker, selecting(hostOf(own)))
    for (const host of [hostOf(other), 'no-such-host']) {
      expect((await refusal(tryAs(speaker, selecting(host)))).message).toContain(notOwn)
    }
  })

  test('and no other, although its kubelet labels its own as that one', async () => {
    const label = (host: string) => ({
      type: merge,
      body: { metadata: { labels: { [hostname]: host } } },
    })
    await nodes().patch(own, label(hostOf(other)))
    onTestFinished(async () => void (await nodes().patch(own, label(hostOf(own)))))
    await until('the label counts', () => isRefused(tryAs(speaker, selecting(hostOf(own)))))
    const refused = await refusal(tryAs(speaker, selecting(hostOf(other))))
    expect(refused.message).toContain(notOwn)
  })

  test('nor when its Node is gone', async () => {
    await nodes().remove(own)
    onTestFinished(async () => void (await createNode(own)))
    // Nobody has its host any more.
    await until('it is gone', () => isAccepted(tryAs(speaker, selecting('no-such-host'))))
    const refused = await refusal(tryAs(speaker, selecting(hostOf(other))))
    expect(refused.message).toContain(notOwn)
  })
})

const isAccepted = (answer: Promise<unknown>): Promise<true | undefined> =>
  answer.then(
    () => true,
    () => undefined,
  )
const isRefused = (answer: Promise<unknown>): Promise<true | undefined> =>
  answer.then(
    () => undefined,
    () => true,
  )
