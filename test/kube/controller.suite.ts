// Does the controller keep to the claim (R3), word for word, on a real API server?
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { core, type KubeObject, loadBalancer, merge, strategic, verbs } from './cluster.ts'
import {
  addressOf,
  asking,
  type Cluster,
  conditionOf,
  holdersOf,
  isWrite,
  pool,
  type Running,
  runController,
  type Spoil,
  shownBy,
  startCluster,
  writesIn,
} from './controllers.ts'
import { wrongsAtRest } from './promiseOne.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
let cluster: Cluster
let running: Running
let namespace = ''
let at = 0
let services: ReturnType<typeof verbs>

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster()
  running = runController(cluster.kube)
})
afterAll(async () => {
  await running?.stop()
  await cluster?.stop()
})
/** Each test its own namespace, and a pool of 14 addresses named after it. */
afterEach(({ task }) => {
  if (task.result?.state === 'fail')
    process.stdout.write(
      `${running.log.slice(-20).join('\n')}\n` +
        running.seen
          .slice(-40)
          .map((r) => r.method + ' ' + r.path)
          .join('\n'),
    )
})
beforeEach(async () => {
  if (!isHere) return
  namespace = `case-${++at}`
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: namespace } })
  await cluster.pools.create(pool(namespace, [`10.1.${at}.1-10.1.${at}.14`]))
  services = cluster.services(namespace)
})

const ip = (host: number): string => `10.1.${at}.${host}`
const seenOf = (path: string) =>
  running.seen.filter((one) => one.path.includes(path)).map(({ method }) => method)
const gone = (name: string) =>
  until(`Address ${name} is gone`, async () => {
    return cluster.addresses.get(name).then(
      () => undefined,
      () => true as const,
    )
  })
const held = (name: string, uid: string) =>
  until(`Address ${name} is held by ${uid}`, async () => {
    const record = await cluster.addresses.get(name).catch(() => undefined)
    return record !== undefined && holdersOf(record).some((one) => one.uid === uid)
      ? record
      : undefined
  })
const record = (host: number, holders: readonly object[], spec: object = {}): object => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Address',
  metadata: { name: ip(host), labels: { 'app.kubernetes.io/managed-by': 'berth' } },
  spec: { address: ip(host), pool: namespace, holders, ...spec },
})
const holder = ({ metadata: { name, uid } }: KubeObject): object => ({
  kind: 'Service',
  namespace,
  name,
  uid,
  ports: ['TCP/80'],
})

describe.skipIf(!isHere)('the claim', () => {
  test('[R3.12] 200 Services at once: each its own address, one claim, then one status', async () => {
    await cluster.pools.create(pool('many', ['10.2.0.0/24']))
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
    expect(events.items.length).toBe(200)
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
    await gone(ip(1))
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
    const from = running.seen.length
    await services.remove('web')
    await gone(ip(1))
    const order = running.seen.slice(from).flatMap(({ method, path }) => {
      return path.endsWith('/web') || path.endsWith(ip(1)) ? method : []
    })
    expect(order).toEqual(['GET', 'DELETE'])
  })

  test('[R3.12] made again under its name it has a new uid: nothing is inherited', async () => {
    const first = await services.create(asking('web', namespace))
    await held(ip(1), first.metadata.uid)
    await services.remove('web')
    const again = await services.create(asking('web', namespace))
    const address = await addressOf(services, 'web')
    await held(address, again.metadata.uid)
    await running.quiet()
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('[R3.5] a reservation outlives its Service, and is what a new one inherits', async () => {
    const spec = { address: ip(9), reservedFor: { namespace, name: 'web' } }
    const made = { apiVersion: 'berth.dev/v1alpha1', kind: 'Address', metadata: { name: ip(9) } }
    await cluster.addresses.create({ ...made, spec })
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
    await held(ip(1), metadata.uid)
    await cluster.addresses.remove(ip(1))
    await held(ip(1), metadata.uid)
    expect(shownBy(await services.get('web'))).toEqual([ip(1)])
  })

  test('[R3.10] holders that a person writes count for nothing and are put right', async () => {
    const { metadata } = await services.create(asking('web', namespace))
    await held(ip(1), metadata.uid)
    const wrong = [{ kind: 'Service', namespace, name: 'other', uid: 'none', ports: ['TCP/1'] }]
    await cluster.addresses.patch(ip(1), {
      type: merge,
      body: { spec: { holders: wrong, pool: 'x' } },
    })
    const right = await held(ip(1), metadata.uid)
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

describe.skipIf(!isHere)('recovery', () => {
  const beside = async (start: () => Promise<unknown>): Promise<Running> => {
    await running.quiet()
    await running.stop()
    await start()
    running = runController(cluster.kube)
    return running
  }

  test('[R3.9] a restart with nothing missing writes nothing', async () => {
    await Promise.all([1, 2, 3].map((n) => services.create(asking(`s${n}`, namespace))))
    await services.create(asking('waits', 'nowhere'))
    await until('all are addressed', async () => {
      return (await services.list()).items.every((one) => conditionOf(one)) ? true : undefined
    })
    const versions = async () => {
      const lists = [verbs(cluster.admin, core('services')), cluster.addresses, cluster.pools]
      const all = await Promise.all(lists.map((one) => one.list()))
      return all.flatMap(({ items }) =>
        items.map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`),
      )
    }
    let before: string[] = []
    const again = await beside(async () => {
      before = await versions()
    })
    await again.quiet()
    expect(writesIn(again.seen)).toEqual([])
    expect(await versions()).toEqual(before)
  })

  test('[R3.9] addresses of before are adopted: the record is made, nothing moves', async () => {
    const again = await beside(async () => {
      const { metadata } = await services.create(asking('old', namespace))
      const body = { status: { loadBalancer: { ingress: [{ ip: ip(7) }] } } }
      await services.patch('old', { type: merge, subresource: 'status', body })
      await services.create(asking('new', namespace))
      return metadata
    })
    await again.quiet()
    expect(shownBy(await services.get('old'))).toEqual([ip(7)])
    expect(shownBy(await services.get('new'))).toEqual([ip(1)])
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('[R3.12] an unfinished claim is completed for its Service', async () => {
    const again = await beside(async () => {
      const web = await services.create(asking('web', namespace))
      await cluster.addresses.create(record(6, [holder(web)]))
    })
    await again.quiet()
    expect(shownBy(await services.get('web'))).toEqual([ip(6)])
    const order = writesIn(again.seen).filter((one) => /addresses\/|\/web/.test(one))
    expect(order[0]).toContain('/addresses/')
    expect(await wrongsAtRest(cluster)).toEqual([])
  })

  test('[R3.12] an unfinished claim is given up after a write that changes the Service', async () => {
    const again = await beside(async () => {
      const web = await services.create(asking('web', 'nowhere'))
      const body = {
        status: {
          conditions: [
            {
              type: 'berth.dev/Addressed',
              status: 'False',
              reason: 'PoolNotFound',
              message: 'no pool is called nowhere or serves that name',
              lastTransitionTime: '2026-01-02T03:04:05Z',
            },
          ],
        },
      }
      await services.patch('web', { type: strategic, subresource: 'status', body })
      await cluster.addresses.create(record(6, [holder(web)]))
    })
    await gone(ip(6))
    const order = writesIn(again.seen).filter((one) => one.includes('web') || one.includes(ip(6)))
    expect(order).toEqual([
      `PATCH /api/v1/namespaces/${namespace}/services/web/status`,
      `DELETE /apis/berth.dev/v1alpha1/addresses/${ip(6)}`,
    ])
  })

  test('[R3.12] a holder of another uid is stale: the address is free again', async () => {
    const again = await beside(async () => {
      await services.create(asking('web', namespace))
      const stale = { kind: 'Service', namespace, name: 'web', uid: 'another', ports: [] }
      await cluster.addresses.create(record(6, [stale]))
    })
    await gone(ip(6))
    await again.quiet()
    expect(shownBy(await services.get('web'))).toEqual([ip(1)])
  })
})

describe.skipIf(!isHere)('leading', () => {
  test('[R3.12] past the renew deadline the next write waits for the lease', async () => {
    await running.stop()
    let aheadMs = 0
    const spoil: Spoil = (request, pass) => {
      if (request.method !== 'POST' || !request.path.endsWith('/addresses')) return undefined
      return pass().finally(() => {
        aheadMs += 11_000
      })
    }
    running = runController(cluster.kube, { spoil, aheadMs: () => aheadMs })
    await running.quiet()
    const from = running.seen.length
    await services.create(asking('web', namespace))
    await addressOf(services, 'web')
    const writes = running.seen
      .slice(from)
      .filter(isWrite)
      .map(({ path }) => path.split('/').at(path.endsWith('/status') ? -3 : -1))
    const [claim, status] = [writes.indexOf('addresses'), writes.indexOf('services')]
    expect(writes.slice(claim, status)).toContain('berth-controller')
  })
})

describe.skipIf(!isHere)('what is not ours', () => {
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
    await running.stop()
    running = runController(cluster.kube, { loadBalancerClass })
    const plain = await services.create(loadBalancer('plain'))
    expect(await addressOf(services, 'theirs')).toMatch(/^10\./)
    await running.quiet()
    expect(await services.get('plain')).toEqual(plain)
    await services.remove('theirs')
    await running.quiet()
    await running.stop()
    running = runController(cluster.kube)
  })
})

describe.skipIf(!isHere)('configuration', () => {
  const stateIs = (result: string) =>
    until(`ConfigurationState is ${result}`, async () => {
      const state = await cluster.states.get('controller').catch(() => undefined)
      return state?.status?.['result'] === result ? state : undefined
    })

  test('[M1.9] a pool that overlaps another is inert and said, until it can count', async () => {
    await services.create(asking('web', namespace))
    const address = await addressOf(services, 'web')
    await stateIs('Valid')
    await cluster.pools.create(pool('late', [`10.1.${at}.1-10.1.${at}.200`]))
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
