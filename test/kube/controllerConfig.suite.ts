// Which Services and which configuration count for the controller, on a real API server?
import { expect, test } from 'vitest'
import { Controller } from '../../src/app/controller/controller.ts'
import { systemClock, timestamp } from '../../src/edge/host/clock.ts'
import { loadBalancer, merge, verbs } from './cluster.ts'
import { cluster, ip, namespace, onCluster, restart, running, services } from './controllerCase.ts'
import { addressOf, asking, ownNamespace, pool, shownBy } from './controllers.ts'
import { defineCrd, forgetCrd } from './crds.ts'
import { wrongsAtRest } from './promiseOne.ts'
import { until } from './waits.ts'

onCluster('what is not ours', () => {
  test('[M2.2] Services of another class, or of none, are not touched', async () => {
    const loadBalancerClass = 'example.com/theirs'
    await services.create({ ...loadBalancer('theirs', { loadBalancerClass }) })
    const body = { status: { loadBalancer: { ingress: [{ ip: ip(3) }] } } }
    const before = await services.patch('theirs', { type: merge, subresource: 'status', body })
    await services.create(asking('ours', namespace))
    await addressOf(services, 'ours')
    await running.quiet()
    expect(await services.get('theirs')).toEqual(before)
  })

  test('[M2.2] with --lb-class it serves that class, and only that', async () => {
    const loadBalancerClass = 'example.com/berth'
    await services.create({ ...loadBalancer('theirs', { loadBalancerClass }) })
    const made = await services.get('theirs')
    await running.quiet()
    expect(await services.get('theirs')).toEqual(made)
    await restart(undefined, { loadBalancerClass })
    const plain = await services.create(loadBalancer('plain'))
    expect(await addressOf(services, 'theirs')).toMatch(/^10\./)
    await running.quiet()
    expect(await services.get('plain')).toEqual(plain)
    await services.remove('theirs')
    await restart()
  })
})

const netConfigs = { group: 'network.openstack.org', version: 'v1beta1', plural: 'netconfigs' }
const loose = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const netConfigDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'netconfigs.network.openstack.org' },
  spec: {
    group: netConfigs.group,
    scope: 'Namespaced',
    names: { kind: 'NetConfig', plural: 'netconfigs', singular: 'netconfig' },
    versions: [
      {
        name: netConfigs.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: loose } } },
      },
    ],
  },
}

onCluster('kinds of others', () => {
  test('[R5] what is installed at run time counts: no Service gets the gateway', async () => {
    await running.quiet()
    const lists = running.seen.filter(({ path }) => path.endsWith('/netconfigs'))
    expect(lists, 'its definition is watched, and nothing is asked meanwhile').toHaveLength(1)
    const { name } = netConfigDefinition.metadata
    await defineCrd(cluster.admin, name, netConfigDefinition)
    const subnet = { name: 'one', cidr: `${ip(0)}/24`, gateway: ip(1) }
    await verbs(cluster.admin, { ...netConfigs, namespace }).create({
      apiVersion: 'network.openstack.org/v1beta1',
      kind: 'NetConfig',
      metadata: { name: 'net' },
      spec: { networks: [{ name: 'internal', subnets: [subnet] }] },
    })
    await until('it is known', () => running.controller.progress().seen['NetConfig'])
    await running.quiet()
    await services.create(asking('web', namespace))
    expect(await addressOf(services, 'web')).toBe(ip(2))
    await forgetCrd(cluster.admin, name)
  })
})

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

onCluster('configuration', () => {
  const stateIs = (result: string) =>
    until(`ConfigurationState is ${result}`, async () => {
      const state = await cluster.states.get('controller').catch(() => undefined)
      return state?.status?.['result'] === result ? state : undefined
    })

  test('[M1.9] a pool that overlaps another is inert and said, until it can count', async () => {
    await services.create(asking('web', namespace))
    const address = await addressOf(services, 'web')
    await stateIs('Valid')
    await cluster.pools.create(pool('late', [`${ip(1)}-${ip(200)}`]))
    const { status } = await stateIs('Invalid')
    expect(status?.['errorSummary']).toMatch(/^configuration error: IPAddressPool.*late.*overlaps/)
    expect(status?.['conditions']).toMatchObject([
      { type: 'poolReconcilerValid', status: 'False', reason: 'ConfigurationError' },
    ])
    await services.create(asking('more', namespace))
    await addressOf(services, 'more')
    expect(shownBy(await services.get('web'))).toEqual([address])
    await cluster.pools.remove('late')
    const { metadata } = await stateIs('Valid')
    expect(metadata.labels).toEqual({ 'metallb.io/component-type': 'controller' })
  })

  test('[M1.9] who takes over the lead says at once what it knows', async () => {
    await restart(async () => {
      await cluster.states.remove('controller')
      const end = new AbortController()
      const controller = new Controller({
        api: {
          ...cluster.admin,
          async call(request) {
            const isOfLease = request.path.includes('/leases/')
            if (isOfLease) await until('all is listed', () => controller.isIn || undefined)
            return cluster.admin.call(request)
          },
        },
        settings: { ownNamespace, loadBalancerClass: '' },
        // The second after which it looks again does not pass.
        clock: {
          ...systemClock,
          sleep: (ms, signal) => (ms === 1_000 ? aborted(signal) : systemClock.sleep(ms, signal)),
        },
        random: Math.random,
        timestamp,
        identity: 'next',
        log: () => undefined,
      })
      const ended = controller.run(end.signal)
      await stateIs('Valid')
      end.abort()
      await ended
    })
  })

  test('[R3.13] the definition of pools is deleted: all is kept and said, then it goes on', async () => {
    const definitions = verbs(cluster.admin, {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
    })
    await services.create(asking('web', namespace))
    const address = await addressOf(services, 'web')
    await running.quiet()
    const [pools, services0] = [(await cluster.pools.list()).items, await services.list()]
    const definition = await definitions.get('ipaddresspools.metallb.io')
    await definitions.remove('ipaddresspools.metallb.io')
    await until('gone', () => {
      return definitions.get('ipaddresspools.metallb.io').then(
        () => undefined,
        () => true as const,
      )
    })
    await until('frozen', () => (running.controller.isIn ? undefined : true))
    await services.create(asking('late', namespace))
    const { status } = await stateIs('Invalid')
    expect(status?.['errorSummary']).toMatch(/IPAddressPool cannot be listed/)
    expect((await services.get('web')).metadata).toEqual(services0.items[0]?.metadata)
    const { name } = definition.metadata
    await definitions.create({ ...definition, metadata: { name }, status: undefined })
    await until('served', () => {
      return cluster.pools.list().then(
        () => true as const,
        () => undefined,
      )
    })
    for (const { metadata, spec } of pools)
      await cluster.pools.create(pool(metadata.name, [], spec))
    expect(await addressOf(services, 'late')).not.toBe(address)
    await running.quiet()
    expect(shownBy(await services.get('web'))).toEqual([address])
    expect(await wrongsAtRest(cluster)).toEqual([])
  })
})
