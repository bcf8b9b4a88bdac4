// Do the rights that we ship suffice for a speaker, and are they no more than that? On real
// Kubernetes, under the shipped account, with the policy that ties a token to its node.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PeerKeys } from '../../src/app/speaker/bgp/peerKeys.ts'
import { routesTo } from '../../src/edge/host/hostRoutes.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import { resourceOf } from '../../src/edge/kube/kinds.ts'
import { core, merge, refusal, verbs } from './cluster.ts'
import { ownNamespace, pool } from './controllers.ts'
import { connectionFor, findEngine, type Kube, startKube } from './harness.ts'
import { adminKubeconfig, definitionsEstablished, programAt, type Run } from './helm/programs.ts'
import { isSince } from './kubeVersion.ts'
import {
  advertisement,
  aNode,
  isReady,
  Ring,
  type RunningSpeaker,
  runSpeaker,
  served,
  speakerVerbs,
} from './speakers.ts'
import { until } from './waits.ts'

const engine = findEngine()
const isHere = inject('kube') !== undefined && 'folder' in engine
const [node, other] = ['node-a', 'node-b']
/** Since then policies are served, and tokens name the node of their pod. */
const hasPolicies = isSince(30)
const withPolicies = test.skipIf(!hasPolicies)
let kube: Kube
let kubectl: Run
let admin: Api
let api: ReturnType<typeof speakerVerbs>
let speaker: RunningSpeaker | undefined

beforeAll(async () => {
  if ('why' in engine || !isHere) return
  kube = await startKube(engine.folder, { controllers: ['serviceaccount-controller'] })
  kubectl = programAt(inject('kubectl'), kube.folder, adminKubeconfig(kube))
  // Definitions first, so that what is made of them is known when it comes.
  kubectl('apply', '-k', `deploy/kustomize${hasPolicies ? '' : '/without-policies'}`)
  await definitionsEstablished(kubectl)
  admin = newApi(connectionFor(kube, 'admin'))
  api = speakerVerbs(admin)
  for (const name of [node, other]) await api.nodes.create(aNode(name))
  await api.pools.create(pool('lan', ['192.0.2.0/24']))
  await api.advertisements.create(advertisement('lan'))
  await verbs(admin, core('namespaces')).create({ metadata: { name: 'shop' } })
  await makePod('berth-speaker-a', node)
})
afterAll(async () => {
  await speaker?.stop()
  admin?.close()
  await kube?.stop()
})

const makePod = (name: string, nodeName: string) =>
  api.pods.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: ownNamespace },
    spec: {
      nodeName,
      serviceAccountName: 'berth-speaker',
      containers: [{ name: 'speaker', image: 'berth' }],
    },
  })

/** As the pod gets it: it names the pod and the node that it runs on. */
function apiOfPod(): Api {
  const bound = ['--bound-object-kind=Pod', '--bound-object-name=berth-speaker-a']
  const args = ['create', 'token', 'berth-speaker', '-n', ownNamespace, ...bound]
  return apiWith(kubectl(...args).trim())
}

const apiWith = (text: string): Api =>
  newApi({
    ...connectionFor(kube, 'nobody'),
    credentials: writtenCredentials({ token: { text } }),
  })

const metallb = (plural: string): Resource => ({
  group: 'metallb.io',
  version: 'v1beta1',
  plural,
  namespace: ownNamespace,
})
const [statuses, states] = [metallb('servicel2statuses'), metallb('configurationstates')]
const reports: Resource = { group: 'berth.dev', version: 'v1alpha1', plural: 'nodeinterfaces' }

/** Until the API server knows its policies, anything goes. */
const policyIsInForce = () =>
  until('the policy is in force', async () => {
    const mine = apiOfPod()
    const body = { metadata: { name: 'nobody' }, spec: {} }
    const refused = await verbs(mine, reports)
      .create(typed('berth.dev/v1alpha1', 'NodeInterfaces', body))
      .then(
        () => undefined,
        (error: unknown) => String(error),
      )
    if (refused === undefined) await api.reports.remove('nobody')
    mine.close()
    return refused?.includes('named after') ? true : undefined
  })

const typed = (apiVersion: string, kind: string, object: object): object => ({
  apiVersion,
  kind,
  ...object,
})
const statusOf = (of: string, name = 'l2-try') =>
  typed('metallb.io/v1beta1', 'ServiceL2Status', {
    metadata: { name, namespace: ownNamespace, labels: { 'metallb.io/node': of } },
    spec: {},
  })
const routedOf = (of: string) =>
  typed('metallb.io/v1beta1', 'ServiceBGPStatus', {
    metadata: { name: 'bgp-try', namespace: ownNamespace, labels: { 'metallb.io/node': of } },
    spec: {},
  })
const sessionOf = (of: string) =>
  typed('berth.dev/v1alpha1', 'BGPSession', {
    metadata: { name: `${of}-tor`, labels: { 'metallb.io/node': of } },
    status: { node: of, peer: 'tor' },
  })
const stateOf = (name: string) =>
  typed('metallb.io/v1beta1', 'ConfigurationState', {
    metadata: { name, namespace: ownNamespace },
  })
const reportOf = (name: string) =>
  typed('berth.dev/v1alpha1', 'NodeInterfaces', { metadata: { name }, spec: {} })

/** Of the destinations that the Site lists, what the kernel has; nothing once there is no Site. */
async function routesAreReported(): Promise<void> {
  const sites = verbs(admin, resourceOf('Site'))
  const nowhere = '198.18.7.0/24'
  const external = {
    ...{ apiVIP: '203.0.113.10', ingressVIP: '203.0.113.11', prefixLength: 24 },
    ...{ gateway: '203.0.113.1', routes: [{ destination: '0.0.0.0/0' }, { destination: nowhere }] },
  }
  const routes = async () => (await api.reports.get(node))['spec']?.['routes']
  expect(await routes()).toBeUndefined()
  const spec = { internalNetwork: '10.0.0.0/24', external }
  const site = { metadata: { name: 'cluster' }, spec }
  await sites.create(typed('berth.dev/v1alpha1', 'Site', site))
  const shown = await until('its routes are reported', routes)
  const everything = { family: 'IPv4', base: 0n, length: 0 } as const
  expect(shown).toEqual(routesTo([everything]))
  await sites.remove('cluster')
  await until('they are gone again', async () => (await routes()) === undefined || undefined)
}

describe.skipIf(!isHere)('the shipped speaker', () => {
  test('[R8.5, R6.14] under its rights a Service is announced and reported, and nothing is refused', async () => {
    if (hasPolicies) await policyIsInForce()
    speaker = runSpeaker(kube, { ring: new Ring(), node }, apiOfPod())
    await isReady(speaker)
    await served(admin, 'shop', { name: 'web', ip: '192.0.2.1' })
    await until('it is announced', () => speaker?.answers().length || undefined)
    await until('it is reported', async () => {
      const { items } = await api.statuses.list()
      return items.some(({ status }) => status?.['node'] === node) || undefined
    })
    await until('its node is reported', () => api.reports.get(node).catch(() => undefined))
    await until('its state is reported', async () => {
      const state = await api.states.get(`speaker-${node}`).catch(() => undefined)
      return state?.status?.['result'] === 'Valid' || undefined
    })
    await until('the event is there', async () => {
      const { items } = await verbs(admin, core('events', 'shop')).list()
      return items.length > 0 || undefined
    })
    await routesAreReported()
    expect(speaker.log.filter((line) => /forbidden/i.test(line))).toEqual([])
    await speaker.stop()
    speaker = undefined
  })

  withPolicies.each([
    { what: 'of its own node', of: node, isAllowed: true },
    { what: 'of another node', of: other, isAllowed: false },
  ])('[R8.5] its token may report what is $what: $isAllowed', async ({ of, isAllowed }) => {
    const mine = apiOfPod()
    const tries = [
      { kind: verbs(mine, statuses), body: statusOf(of) },
      { kind: verbs(mine, states), body: stateOf(`speaker-${of}`) },
      { kind: verbs(mine, reports), body: reportOf(of) },
      { kind: verbs(mine, metallb('servicebgpstatuses')), body: routedOf(of) },
      { kind: verbs(mine, resourceOf('BGPSession')), body: sessionOf(of) },
    ]
    for (const { kind, body } of tries) {
      const answer = kind.create(body, { dryRun: 'All' })
      // Its own are there already.
      const code = isAllowed ? await answer.then(() => 201, codeOf) : codeOf(await refusal(answer))
      expect(isAllowed ? [201, 409] : [403, 422]).toContain(code)
    }
    mine.close()
  })

  withPolicies("[R8.5] another node's status is not taken over, and may be deleted", async () => {
    await api.statuses.create(statusOf(other, 'l2-other'))
    const mine = apiOfPod()
    const path = pathOf(statuses, 'l2-other', 'status')
    const body = { status: { node } }
    const patch = mine.call({ method: 'PATCH', path, contentType: merge, body })
    expect((await refusal(patch)).message).toMatch(/speaker of the node that it names/)
    await verbs(mine, statuses).remove('l2-other')
    mine.close()
  })

  withPolicies('a token that names no node may report nothing', async () => {
    const mine = apiWith(kubectl('create', 'token', 'berth-speaker', '-n', ownNamespace).trim())
    const refused = await refusal(verbs(mine, reports).create(reportOf(node)))
    mine.close()
    expect(refused.message).toContain('names no node')
  })

  test.each([
    { what: 'edit a Service', method: 'PATCH', path: '/api/v1/namespaces/shop/services/web' },
    {
      what: "edit a Service's status",
      method: 'PATCH',
      path: '/api/v1/namespaces/shop/services/web/status',
    },
    { what: 'edit a Node', method: 'PATCH', path: `/api/v1/nodes/${node}` },
    { what: 'edit a pool', method: 'PATCH', path: pathOf(metallb('ipaddresspools'), 'lan') },
    {
      what: 'edit an Address',
      method: 'PATCH',
      path: '/apis/berth.dev/v1alpha1/addresses/192.0.2.1',
    },
    {
      what: "read a Lease that is not the controller's",
      method: 'GET',
      path: `/apis/coordination.k8s.io/v1/namespaces/${ownNamespace}/leases/other`,
    },
    {
      what: 'list Secrets, not even its own',
      method: 'GET',
      path: `/api/v1/namespaces/${ownNamespace}/secrets`,
    },
    {
      what: 'read a Secret elsewhere',
      method: 'GET',
      path: '/api/v1/namespaces/kube-system/secrets/any',
    },
    { what: 'list pods of the cluster', method: 'GET', path: '/api/v1/pods' },
  ] as const)('the account may not $what', async ({ method, path }) => {
    const mine = apiOfPod()
    const body = method === 'PATCH' ? {} : undefined
    const refused = await refusal(mine.call({ method, path, body, contentType: merge }))
    mine.close()
    expect(refused.code).toBe(403)
  })

  test('[R8.9] it reads the password of a peer by name: late, and once it is another', async () => {
    const mine = apiOfPod()
    const keys = new PeerKeys(mine, {
      ...{ namespace: ownNamespace, nowMs: () => performance.now() },
      ...{ random: () => 0, nodes: () => 1 },
    })
    const peer = {
      name: 'tor',
      password: 'secret',
      secret: 'tor-password',
      passwordVersion: '',
    } as const
    const secrets = verbs(admin, core('secrets', ownNamespace))
    const data = (password: string) => ({ password: Buffer.from(password).toString('base64') })
    const untilKey = (password: string) =>
      until(password, async () => {
        const key = await keys.keyOf(peer, 'recently').catch(() => undefined)
        return String(key) === password ? true : undefined
      })
    expect((await refusal(keys.keyOf(peer))).code).toBe(404)
    const type = 'kubernetes.io/basic-auth'
    await secrets.create({ metadata: { name: peer.secret }, type, data: data('first') })
    await untilKey('first')
    await secrets.patch(peer.secret, { body: { data: data('second') }, type: merge })
    await untilKey('second')
    mine.close()
  })

  test('the pod passes where pods may be privileged, and asks for NET_RAW alone', () => {
    const template = '-o=jsonpath={.spec.template}'
    const json = kubectl('get', 'daemonset', 'berth-speaker', '-n', ownNamespace, template)
    const { spec, metadata } = JSON.parse(json) as {
      metadata: object
      spec: { containers: { securityContext: object }[] }
    }
    expect(spec.containers[0]?.securityContext).toMatchObject({
      capabilities: { drop: ['ALL'], add: ['NET_RAW'] },
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    })
    const file = join(kube.folder, 'pod.json')
    const named = { ...metadata, name: 'try', namespace: ownNamespace }
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: named, spec }))
    const made = kubectl('create', '--dry-run=server', '-o=name', '-f', file)
    expect(made.trim()).toBe('pod/try')
  })
})

const codeOf = (error: unknown): number => {
  const { code } = error as { code?: number }
  return code ?? 0
}
