// Does the controller keep to the claim (R3), word for word, on a real API server?
import { expect, test } from 'vitest'
import { core, merge, verbs } from './cluster.ts'
import {
  addressGone,
  addressHeld,
  cluster,
  ip,
  namespace,
  onCluster,
  running,
  services,
} from './controllerCase.ts'
import { addressOf, asking, conditionOf, holdersOf, pool, shownBy } from './controllers.ts'
import { wrongsAtRest } from './promiseOne.ts'
import { until } from './waits.ts'

const seenOf = (path: string) =>
  running.seen.filter((one) => one.path.includes(path)).map(({ method }) => method)

onCluster('the claim', () => {
  test('[R3.12] 200 Services at once: each its own address, one claim, then one status', async () => {
    await cluster.pools.create(pool('many', ['10.2.0.0/24']))
    await until('the pool is known', () => running.controller.world.pools.get('many'))
    const names = Array.from({ length: 200 }, (_, n) => `s${n}`)
    await Promise.all(names.map((name) => services.create(asking(name, 'many'))))
    const ips = await Promise.all(names.map((name) => addressOf(services, name)))
    expect(new Set(ips).size).toBe(200)
    await running.quiet()
    expect(await wrongsAtRest(cluster)).toEqual([])
    const created = running.seen.flatMap(({ method, path, body }) =>
      method === 'POST' && path.endsWith('/addresses')
        ? (body as { spec: { address: string } }).spec.address
        : [],
    )
    const ours = created.filter((address) => address.startsWith('10.2.0.'))
    expect(ours.toSorted()).toEqual(ips.toSorted())
    for (const name of names) expect(seenOf(`/${namespace}/services/${name}/`)).toEqual(['PATCH'])
    const events = await verbs(cluster.admin, core('events', namespace)).list()
    // A real API server adds some of its own: it may see a cluster IP before the record of it.
    const told = events.items.filter((one) => one.reportingComponent === 'metallb-controller')
    expect(told).toHaveLength(200)
    const { status } = await cluster.pools.get('many')
    expect(status).toMatchObject({ assignedIPv4: 200, availableIPv4: 56 })
    expect(seenOf('/ipaddresspools/many/status').length).toBeLessThan(30)
  })

  test('[R3.12] letting go: first the status, then the record, under uid and version', async () => {
    await services.create(asking('web', namespace))
    await addressOf(services, 'web')
    await running.quiet()
    const from = running.seen.length
    const annotations = { 'metallb.io/address-pool': 'nowhere' }
    await services.patch('web', { type: merge, body: { metadata: { annotations } } })
    await addressGone(ip(1))
    const order = running.seen
      .slice(from)
      .filter(({ method, path }) => method !== 'GET' && /web|10\.1\./.test(path))
    expect(order.map(({ method }) => method)).toEqual(['PATCH', 'DELETE'])
    expect(order[0]?.body).toMatchObject({
      metadata: { uid: expect.any(String), resourceVersion: expect.any(String) },
    })
    expect(order[1]?.body).toMatchObject({
      preconditions: { uid: expect.any(String), resourceVersion: expect.any(String) },
    })
    expect(conditionOf(await services.get('web'))).toMatchObject({ reason: 'PoolNotFound' })
  })

  test('[R3.12] a holder goes only after a read of its Service', async () => {
    await services.create(asking('web', namespace))
    await addressOf(services, 'web')
    await running.quiet()
    const from = running.seen.length
    await services.remove('web')
    await addressGone(ip(1))
    const order = running.seen.slice(from).flatMap(({ method, path }) => {
      return path.endsWith('/web') || path.endsWith(ip(1)) ? method : []
    })
    expect(order).toEqual(['GET', 'DELETE'])
  })

  test('[R3.12] made again under its name it has a new uid: nothing is inherited', async () => {
    const first = await services.create(asking('web', namespace))
    await addressHeld(ip(1), first.metadata.uid)
    await services.remove('web')
    const again = await services.create(asking('web', namespace))
    const address = await addressOf(services, 'web')
    await addressHeld(address, again.metadata.uid)
    await running.quiet()
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('[R3.5] a reservation outlives its Service, and is what a new one inherits', async () => {
    const spec = { address: ip(9), reservedFor: { namespace, name: 'web' } }
    const made = { apiVersion: 'berth.dev/v1alpha1', kind: 'Address', metadata: { name: ip(9) } }
    await cluster.addresses.create({ ...made, spec })
    await until('it is known', () => running.controller.world.all('Address').get(ip(9)))
    for (const _ of ['once', 'again']) {
      await services.create(asking('web', namespace))
      expect(await addressOf(services, 'web')).toBe(ip(9))
      await services.remove('web')
      await until('nobody holds it', async () => {
        return holdersOf(await cluster.addresses.get(ip(9))).length === 0 ? true : undefined
      })
    }
  })

  test('[R3.5] the Address of a held address that somebody deletes is put back', async () => {
    const { metadata } = await services.create(asking('web', namespace))
    await addressOf(services, 'web')
    await addressHeld(ip(1), metadata.uid)
    await cluster.addresses.remove(ip(1))
    await addressHeld(ip(1), metadata.uid)
    expect(await addressOf(services, 'web')).toBe(ip(1))
  })

  test('[R3.10] holders that a person writes count for nothing and are put right', async () => {
    const { metadata } = await services.create(asking('web', namespace))
    await addressHeld(ip(1), metadata.uid)
    const wrong = [{ kind: 'Service', namespace, name: 'other', uid: 'none', ports: ['TCP/1'] }]
    await cluster.addresses.patch(ip(1), {
      type: merge,
      body: { spec: { holders: wrong, pool: 'x' } },
    })
    const right = await addressHeld(ip(1), metadata.uid)
    expect(right.spec).toMatchObject({ pool: namespace, holders: [{ name: 'web' }] })
  })

  test('[R3.12] a status that somebody changes by hand is put back', async () => {
    await services.create(asking('web', namespace))
    const address = await addressOf(services, 'web')
    const body = { status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } } }
    await services.patch('web', { type: merge, subresource: 'status', body })
    await until('put back', async () => {
      return shownBy(await services.get('web')).includes(address) ? true : undefined
    })
    await running.quiet()
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('[R3.11] twenty that share an address are its holders; who changes into a taken port goes', async () => {
    const annotations = { 'metallb.io/allow-shared-ip': 'k', 'metallb.io/loadBalancerIPs': ip(5) }
    const all = Array.from({ length: 20 }, (_, n) => n)
    await Promise.all(
      all.map((n) =>
        services.create(
          asking(`s${n}`, namespace, { annotations, spec: { ports: [{ port: 100 + n }] } }),
        ),
      ),
    )
    await Promise.all(all.map((n) => addressOf(services, `s${n}`)))
    await running.quiet()
    expect(holdersOf(await cluster.addresses.get(ip(5))).length).toBe(20)
    const ports = [{ op: 'replace', path: '/spec/ports/0/port', value: 101 }]
    await services.patch('s0', { type: 'application/json-patch+json', body: ports })
    await until('s0 lets go', async () => {
      return shownBy(await services.get('s0')).length === 0 ? true : undefined
    })
    await running.quiet()
    expect(conditionOf(await services.get('s0'))).toMatchObject({ reason: 'SharingPortTaken' })
    expect(await wrongsAtRest(cluster)).toEqual([])
  })
})
