// What becomes of Services when a pool or a tenant is edited into something that cannot be used, and
// the controller is then started anew? Nothing (P2); everything else goes on (P6).
import { beforeEach, expect, test } from 'vitest'
import { merge } from './cluster.ts'
import { cluster, ip, namespace, onCluster, restart, running, services } from './controllerCase.ts'
import { addressOf, asking, conditionOf, pool, shownBy, writesIn } from './controllers.ts'
import { wrongsAtRest } from './promiseOne.ts'
import { until } from './waits.ts'

const stateIs = (result: string) =>
  until(`ConfigurationState is ${result}`, async () => {
    const state = await cluster.states.get('controller').catch(() => undefined)
    return state?.status?.['result'] === result ? state : undefined
  })
const editPool = (addresses: readonly string[]) =>
  cluster.pools.patch(namespace, { type: merge, body: { spec: { addresses } } })
const usual = () => [`${ip(1)}-${ip(14)}`]

/** Everything is as it was, and was not even written. */
async function restartsWithoutAWrite(): Promise<void> {
  const again = await restart()
  await again.quiet()
  expect(writesIn(again.seen)).toEqual([])
}

let good = ''
beforeEach(async () => {
  if (cluster === undefined) return
  good = `${namespace}-good`
  await cluster.pools.create(pool(good, [`10.6.${namespace.slice('case-'.length)}.0/28`]))
})

onCluster('what cannot be used', () => {
  test.each([
    { is: 'no addresses at all', addresses: () => ['nonsense'] },
    // That of the test before, which is older: at a start the older one counts.
    { is: 'what another pool has', addresses: () => [...usual(), '10.1.1.14-10.1.1.20'] },
  ])('[P2] a pool that says $is: its Services keep theirs, over a restart too', async (bad) => {
    await services.create(asking('web', namespace))
    const address = await addressOf(services, 'web')
    await stateIs('Valid')
    await editPool(bad.addresses())
    await stateIs('Invalid')
    await restartsWithoutAWrite()
    await services.create(asking('late', namespace))
    await services.create(asking('fine', good))
    await addressOf(services, 'fine')
    await until('late waits', async () => conditionOf(await services.get('late')))
    expect(conditionOf(await services.get('late'))).toMatchObject({ reason: 'PoolNotFound' })
    expect(shownBy(await services.get('web'))).toEqual([address])
    await editPool(usual())
    expect(await addressOf(services, 'late')).not.toBe(address)
    await stateIs('Valid')
    await running.quiet()
    expect(shownBy(await services.get('web'))).toEqual([address])
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test.each([
    { is: 'no addresses at all', addresses: () => ['nonsense'] },
    { is: 'what another pool has', addresses: () => [...usual(), '10.1.1.14-10.1.1.20'] },
  ])(
    '[P2] a pool that says $is and serves a name: a pool of that name takes nothing',
    async (bad) => {
      const name = `${namespace}-named`
      const metadata = { annotations: { 'berth.dev/serves': name } }
      await cluster.pools.patch(namespace, { type: merge, body: { metadata } })
      await services.create(asking('web', name))
      expect(await addressOf(services, 'web')).toBe(ip(1))
      await editPool(bad.addresses())
      await stateIs('Invalid')
      const open = pool(name, [`10.7.${namespace.slice('case-'.length)}.0/28`])
      const again = await restart(() => cluster.pools.create(open))
      await again.quiet()
      expect(shownBy(await services.get('web'))).toEqual([ip(1)])
      await services.create(asking('late', name))
      expect(await addressOf(services, 'late')).toMatch(/^10\.7\./)
      await running.quiet()
      expect(shownBy(await services.get('web'))).toEqual([ip(1)])
      await cluster.pools.remove(name)
      await editPool(usual())
      await stateIs('Valid')
      expect(await wrongsAtRest(cluster)).toEqual([])
    },
  )

  test('[P8] what a Service of it asks for meanwhile is given, or refused aloud', async () => {
    for (const name of ['moves', 'asks', 'errs', 'stays']) {
      await services.create(asking(name, namespace))
      await addressOf(services, name)
    }
    const had = shownBy(await services.get('errs'))
    await editPool(['nonsense'])
    await stateIs('Invalid')
    await restartsWithoutAWrite()
    const annotate = (name: string, annotations: object) =>
      services.patch(name, { type: merge, body: { metadata: { annotations } } })
    const wanted = `10.6.${namespace.slice('case-'.length)}.7`
    await annotate('moves', { 'metallb.io/address-pool': good })
    await annotate('asks', {
      'metallb.io/address-pool': null,
      'metallb.io/loadBalancerIPs': wanted,
    })
    await annotate('errs', { 'metallb.io/loadBalancerIPs': 'rubbish' })
    await until('the address asked for', async () =>
      shownBy(await services.get('asks')).includes(wanted) ? true : undefined,
    )
    await until('the other pool', async () =>
      shownBy(await services.get('moves'))[0]?.startsWith('10.6.') ? true : undefined,
    )
    await until('it is told', async () =>
      conditionOf(await services.get('errs'))?.reason === 'AddressInvalid' ? true : undefined,
    )
    await running.quiet()
    expect(shownBy(await services.get('errs'))).toEqual(had)
    expect(shownBy(await services.get('stays'))).toEqual([ip(4)])
    expect((await cluster.addresses.get(wanted)).spec).toMatchObject({ pool: good })
    await annotate('errs', { 'metallb.io/loadBalancerIPs': null })
    await until('that is taken back', async () =>
      conditionOf(await services.get('errs'))?.status === 'True' ? true : undefined,
    )
    await editPool(usual())
    await stateIs('Valid')
    await running.quiet()
    expect(shownBy(await services.get('errs'))).toEqual(had)
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('the pool goes: then its Services let go', async () => {
    await services.create(asking('web', namespace))
    await addressOf(services, 'web')
    await editPool(['nonsense'])
    await stateIs('Invalid')
    await restartsWithoutAWrite()
    await cluster.pools.remove(namespace)
    await until('it lets go', async () => {
      return shownBy(await services.get('web')).length === 0 ? true : undefined
    })
    await stateIs('Valid')
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('[P2] a tenant: its pools stay, and so do the addresses that it translated', async () => {
    const network = {
      name: 'api',
      cidrs: ['172.27.0.0/24'],
      translateFrom: ['172.17.0.0/24'],
      loadBalancer: ['172.27.0.80-172.27.0.90'],
    }
    const made = { apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name: namespace } }
    const namespaces = { names: [namespace] }
    const spec = { namespaces, requestedAddresses: 'Translate', networks: [network] }
    await cluster.tenants.create({ ...made, spec })
    const annotations = { 'metallb.io/loadBalancerIPs': '172.17.0.85' }
    await services.create(asking('web', 'api', { annotations }))
    expect(await addressOf(services, 'web')).toBe('172.27.0.85')
    await running.quiet()
    const loadBalancer = ['10.77.0.1/32']
    const outside = { spec: { networks: [{ ...network, loadBalancer }] } }
    await cluster.tenants.patch(namespace, { type: merge, body: outside })
    await stateIs('Invalid')
    await restartsWithoutAWrite()
    expect((await cluster.pools.get(`${namespace}-api`)).spec).toMatchObject({
      addresses: network.loadBalancer,
    })
    await cluster.tenants.patch(namespace, { type: merge, body: { spec } })
    await stateIs('Valid')
    await running.quiet()
    expect(shownBy(await services.get('web'))).toEqual(['172.27.0.85'])
    expect(await wrongsAtRest(cluster)).toEqual([])
  })
})
