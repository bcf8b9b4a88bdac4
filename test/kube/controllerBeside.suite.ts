// Does the controller keep its hands off while MetalLB's gives addresses, and begin when it stops?
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { core, merge, verbs } from './cluster.ts'
import { cluster, ip, namespace, onCluster, restart, running, services } from './controllerCase.ts'
import {
  addressOf,
  asking,
  conditionOf,
  ownNamespace,
  pool,
  runController,
  shownBy,
  writesIn,
} from './controllers.ts'
import { wrongsAtRest } from './promiseOne.ts'
import { until } from './waits.ts'

const labels = { app: 'metallb', component: 'controller' }
const ofChart = { 'app.kubernetes.io/name': 'metallb', 'app.kubernetes.io/component': 'controller' }
const metallb = (args: readonly string[] = [], by: object = labels): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'controller', labels: by },
  spec: {
    selector: { matchLabels: by },
    template: {
      metadata: { labels: by },
      spec: { containers: [{ name: 'controller', image: 'metallb', args }] },
    },
  },
})

const group = { group: 'apps', version: 'v1', namespace: ownNamespace }
let deployments: ReturnType<typeof verbs>
/** In another namespace. */
let elsewhere: ReturnType<typeof verbs>
let leases: ReturnType<typeof verbs>
beforeAll(async () => {
  if (cluster === undefined) return
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: 'lb' } })
  deployments = verbs(cluster.admin, { ...group, plural: 'deployments' })
  elsewhere = verbs(cluster.admin, { ...group, namespace: 'lb', plural: 'deployments' })
  leases = verbs(cluster.admin, {
    ...{ group: 'coordination.k8s.io', version: 'v1', namespace: ownNamespace, plural: 'leases' },
  })
})
afterEach(async () => {
  await deployments?.remove('controller').catch(() => undefined)
  await elsewhere?.remove('controller').catch(() => undefined)
})
const adoption = async (): Promise<string | undefined> =>
  (await leases.get('berth-controller')).metadata.annotations?.['berth.dev/adoption']

/** What its pods would make of it, which nothing here runs. */
const shows = (replicas: number, readyReplicas: number) =>
  deployments.patch('controller', {
    type: merge,
    subresource: 'status',
    body: { status: { replicas, readyReplicas, availableReplicas: readyReplicas } },
  })
const scale = (replicas: number) =>
  deployments.patch('controller', { type: merge, body: { spec: { replicas } } })

async function starts(object: object): Promise<void> {
  await deployments.create(object)
  await shows(1, 1)
}
async function stops(): Promise<void> {
  await scale(0)
  await shows(0, 0)
}

const saysIn = (log: readonly string[], what: string) =>
  until(`it says: ${what}`, () => log.find((line) => line.includes(what)))

type Condition = { readonly type: string; readonly message: string }
async function waitingState(): Promise<Condition | undefined> {
  const { status } = await cluster.states.get('controller')
  const conditions = (status?.['conditions'] ?? []) as readonly Condition[]
  return conditions.find(({ type }) => type === 'berth.dev/WaitsForMetalLB')
}

/** Its own state aside, in which it says that it waits. */
const isOfServices = (write: string): boolean => !write.includes('/configurationstates')

/** Long enough for one that may write: it takes some milliseconds. */
async function staysAsMade(name: string): Promise<void> {
  const before = await services.get(name)
  await sleep(1_500)
  expect(await services.get(name)).toEqual(before)
}

onCluster('beside MetalLB', () => {
  test.each([
    { by: 'the manifests', object: metallb() },
    { by: 'the chart', object: metallb(['--port=9120', '--lb-class='], ofChart) },
  ])('while its controller by $by runs nothing is written; then addresses come', async (one) => {
    await running.quiet()
    await starts(one.object)
    await saysIn(running.log, 'nothing is written until it stops')
    expect(running.controller.mayWrite).toBe(false)
    const from = running.seen.length
    await services.create(asking('web', namespace))
    await staysAsMade('web')
    expect(writesIn(running.seen.slice(from)).filter(isOfServices)).toEqual([])
    await stops()
    expect(await addressOf(services, 'web')).toBe(ip(1))
    await running.quiet()
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('it runs before it is ready, when it was killed, and until its last pod has gone', async () => {
    await running.quiet()
    await deployments.create(metallb())
    await until('it waits', () => (running.controller.mayWrite ? undefined : true))
    await services.create(asking('web', namespace))
    await staysAsMade('web')
    await shows(1, 1)
    await shows(1, 0)
    await staysAsMade('web')
    await scale(0)
    await staysAsMade('web')
    await shows(0, 0)
    expect(await addressOf(services, 'web')).toBe(ip(1))
    await running.quiet()
  })

  test('it is said in the state of the configuration, once, and taken back', async () => {
    await running.quiet()
    // Told once a second: MetalLB could otherwise start before the first time.
    await until('the configuration is valid', async () => {
      const state = await cluster.states.get('controller').catch(() => undefined)
      return state?.status?.['result'] === 'Valid' || undefined
    })
    await starts(metallb())
    const said = await until('the condition', waitingState)
    expect(said).toMatchObject({ status: 'True', reason: 'MetalLBRuns' })
    expect(said.message).toContain(`Deployment ${ownNamespace}/controller`)
    const { metadata, status } = await cluster.states.get('controller')
    expect(status).toMatchObject({ result: 'Valid', errorSummary: '' })
    await sleep(2_500)
    expect((await cluster.states.get('controller')).metadata).toEqual(metadata)
    await deployments.remove('controller')
    await until('taken back', async () => ((await waitingState()) ? undefined : true))
  })

  test('from its start on; what MetalLB gave meanwhile is adopted as it is', async () => {
    const again = await restart(async () => {
      await starts(metallb())
      await services.create(asking('theirs', namespace))
      const body = { status: { loadBalancer: { ingress: [{ ip: ip(7) }] } } }
      await services.patch('theirs', { type: merge, subresource: 'status', body })
    })
    await saysIn(again.log, 'nothing is written until it stops')
    await staysAsMade('theirs')
    expect(writesIn(again.seen).filter(isOfServices)).toEqual([])
    await stops()
    await again.quiet()
    expect(shownBy(await services.get('theirs'))).toEqual([ip(7)])
    expect(conditionOf(await services.get('theirs'))).toMatchObject({ status: 'True' })
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test.each([
    { which: 'of another class', object: metallb(['--lb-class=example.com/theirs']) },
    { which: 'that only checks objects', object: metallb(['--webhook-mode=onlywebhook']) },
  ])('one $which is no matter', async ({ object }) => {
    await running.quiet()
    await starts(object)
    await services.create(asking('web', namespace))
    expect(await addressOf(services, 'web')).toBe(ip(1))
    await running.quiet()
  })

  test('of its own class it matters', async () => {
    const loadBalancerClass = 'example.com/lb'
    const theirs = metallb([`--lb-class=${loadBalancerClass}`])
    const again = await restart(() => starts(theirs), { loadBalancerClass })
    await saysIn(again.log, `of class ${loadBalancerClass}`)
    await services.create(asking('web', namespace, { spec: { loadBalancerClass } }))
    await staysAsMade('web')
    await deployments.remove('controller')
    expect(await addressOf(services, 'web')).toBe(ip(1))
    await services.remove('web')
    await restart()
  })

  test('[R3.14] in another namespace it matters as well, and what it gave is kept without its pools', async () => {
    const given = { 'metallb.io/ip-allocated-from-pool': 'theirs' }
    const again = await restart(async () => {
      const annotations = { 'berth.dev/adoption': 'begun' }
      await leases.patch('berth-controller', { type: merge, body: { metadata: { annotations } } })
      await elsewhere.create(metallb())
      const theirs = {
        ...asking('theirs', 'theirs'),
        metadata: { name: 'theirs', annotations: given },
      }
      await services.create(theirs)
      const body = { status: { loadBalancer: { ingress: [{ ip: '10.8.0.7' }] } } }
      await services.patch('theirs', { type: merge, subresource: 'status', body })
    })
    await saysIn(again.log, 'Deployment lb/controller')
    await staysAsMade('theirs')
    expect(writesIn(again.seen).filter(isOfServices)).toEqual([])
    await elsewhere.remove('controller')
    await again.quiet()
    const kept = await services.get('theirs')
    expect(shownBy(kept)).toEqual(['10.8.0.7'])
    expect(conditionOf(kept)).toMatchObject({ status: 'False', reason: 'PoolsLost' })
    expect(await wrongsAtRest(cluster)).toEqual([])
    // Nor by the next controller, which adopts nothing any more.
    const next = await restart()
    expect(shownBy(await services.get('theirs'))).toEqual(['10.8.0.7'])
    await cluster.pools.create(pool('theirs', ['10.8.0.0/24']))
    await until('it is of the pool', async () => {
      return conditionOf(await services.get('theirs'))?.status === 'True' || undefined
    })
    await next.quiet()
    expect(shownBy(await services.get('theirs'))).toEqual(['10.8.0.7'])
  })

  test('[P2] in another namespace it is no matter once what was shown has been taken over', async () => {
    await running.quiet()
    // The one before this waited, and says so until its next round.
    await until('no one waits', async () => ((await waitingState()) ? undefined : true))
    expect(await adoption()).toBe('done')
    await elsewhere.create(metallb())
    await services.create(asking('web', namespace))
    expect(await addressOf(services, 'web')).toBe(ip(1))
    // Nor to a controller that starts beside it.
    const again = await restart()
    await services.create(asking('more', namespace))
    expect(await addressOf(services, 'more')).toBe(ip(2))
    await elsewhere.remove('controller')
    await again.quiet()
    expect(await adoption()).toBe('done')
    expect(again.log.filter((line) => line.includes('MetalLB'))).toEqual([])
    expect(await waitingState()).toBeUndefined()
  })

  test('where it may not look it says so once, and works', async () => {
    await mayNotLook()
    await starts(metallb())
    const blind = runController(cluster.kube, { user: 'berth', lease: 'blind' })
    await cluster.pools.create(pool(`${namespace}-more`, ['10.9.0.1/32']))
    await services.create(asking('web', `${namespace}-more`))
    expect(await addressOf(services, 'web')).toBe('10.9.0.1')
    const said = blind.log.filter((line) => line.includes("MetalLB's controller runs is not known"))
    expect(said).toHaveLength(1)
    await blind.stop()
  })
})

/** Everything but Deployments. */
async function mayNotLook(): Promise<void> {
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' }
  const ours = ['', 'metallb.io', 'berth.dev', 'coordination.k8s.io', 'apiextensions.k8s.io']
  const apiGroups = [...ours, 'network.openstack.org']
  await verbs(cluster.admin, { ...rbac, plural: 'clusterroles' }).create({
    metadata: { name: 'blind' },
    rules: [{ apiGroups, resources: ['*'], verbs: ['*'] }],
  })
  await verbs(cluster.admin, { ...rbac, plural: 'clusterrolebindings' }).create({
    metadata: { name: 'blind' },
    roleRef: { apiGroup: rbac.group, kind: 'ClusterRole', name: 'blind' },
    subjects: [{ kind: 'User', name: 'berth' }],
  })
}
