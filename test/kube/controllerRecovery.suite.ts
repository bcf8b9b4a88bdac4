// What does a controller do with what another left behind, or when it stops to lead in the middle?
import { expect, test } from 'vitest'
import { core, type KubeObject, merge, strategic, verbs } from './cluster.ts'
import {
  addressGone,
  addressHeld,
  cluster,
  ip,
  namespace,
  onCluster,
  restart,
  running,
  services,
} from './controllerCase.ts'
import {
  addressOf,
  asking,
  conditionOf,
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

onCluster('recovery', () => {
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
    const again = await restart(async () => {
      before = await versions()
    })
    await again.quiet()
    expect(writesIn(again.seen)).toEqual([])
    expect(await versions()).toEqual(before)
  })

  test('[R3.9] addresses of before are adopted: the record is made, nothing moves', async () => {
    const again = await restart(async () => {
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
    const again = await restart(async () => {
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
    const again = await restart(async () => {
      const web = await services.create(asking('web', 'nowhere'))
      const body = {
        status: {
          conditions: [
            {
              type: 'berth.dev/Addressed',
              status: 'False',
              reason: 'PoolNotFound',
              message:
                'no pool is called nowhere or serves that name; ' +
                `see berth explain service ${namespace}/web`,
              lastTransitionTime: '2026-01-02T03:04:05Z',
            },
          ],
        },
      }
      await services.patch('web', { type: strategic, subresource: 'status', body })
      await cluster.addresses.create(record(6, [holder(web)]))
    })
    await addressGone(ip(6))
    const order = writesIn(again.seen).filter((one) => one.includes('web') || one.includes(ip(6)))
    expect(order).toEqual([
      `PATCH /api/v1/namespaces/${namespace}/services/web/status`,
      `DELETE /apis/berth.dev/v1alpha1/addresses/${ip(6)}`,
    ])
  })

  test('[R3.12] a holder of another uid is stale: the address is free again', async () => {
    const again = await restart(async () => {
      await services.create(asking('web', namespace))
      const stale = { kind: 'Service', namespace, name: 'web', uid: 'another', ports: [] }
      await cluster.addresses.create(record(6, [stale]))
    })
    await addressGone(ip(6))
    await again.quiet()
    expect(shownBy(await services.get('web'))).toEqual([ip(1)])
  })

  test("[R3.12] an Address that somebody's finalizer keeps serves the next Service", async () => {
    await services.create(asking('first', namespace))
    const held = await addressOf(services, 'first')
    const kept = { metadata: { finalizers: ['theirs.example/keep'] } }
    await cluster.addresses.patch(held, { type: merge, body: kept })
    await running.quiet()
    await services.remove('first')
    const isGoing = async () => (await cluster.addresses.get(held)).metadata.deletionTimestamp
    await until('its Address is being deleted', isGoing)
    const { metadata } = await services.create(asking('next', namespace))
    expect(await addressOf(services, 'next')).toBe(held)
    await cluster.addresses.patch(held, { type: merge, body: { metadata: { finalizers: null } } })
    await until('it is recorded anew', async () => {
      const record = await cluster.addresses.get(held).catch(() => undefined)
      return record?.metadata.deletionTimestamp === undefined ? record : undefined
    })
    await addressHeld(held, metadata.uid)
    await running.quiet()
    expect(await wrongsAtRest(cluster)).toEqual([])
  })
})

onCluster('leading', () => {
  test('[R3.12] past the renew deadline the next write waits for the lease', async () => {
    let aheadMs = 0
    const spoil: Spoil = (request, pass) => {
      if (request.method !== 'POST' || !request.path.endsWith('/addresses')) return undefined
      return pass().finally(() => {
        aheadMs += 11_000
      })
    }
    await restart(undefined, { spoil, aheadMs: () => aheadMs })
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
  test('what came while the deadline was past for a moment is decided afterwards', async () => {
    let [aheadMs, asked] = [0, 0]
    const spoil: Spoil = ({ method, path }, pass) => {
      if (!path.endsWith('/leases/berth-controller') || !running.controller.isIn) return undefined
      if (method === 'GET' && ++asked === 2) {
        aheadMs += 5_000
        throw new Error('no answer')
      }
      if (method !== 'PUT' || asked !== 3) return undefined
      asked++
      return services.create(asking('web', namespace)).then(async () => {
        aheadMs += 6_000
        await until('it is seen', () => running.controller.world.services.get(`${namespace}/web`))
        return pass()
      })
    }
    await restart(undefined, { spoil, aheadMs: () => aheadMs })
    await until('the Lease was late', () => (asked > 3 ? true : undefined))
    await addressOf(services, 'web')
  })

  test('a first start decides, though the last list of all is that of MetalLB elsewhere', async () => {
    const fresh = await startCluster()
    let first: Running | undefined
    try {
      await fresh.pools.create(pool('first', ['10.9.0.1-10.9.0.9']))
      const those = fresh.services('default')
      await those.create(asking('web', 'first'))
      const spoil: Spoil = ({ path, query }, pass) => {
        const { controller } = first ?? {}
        const isPools = path.endsWith('/ipaddresspools')
        // MetalLB elsewhere is looked for by two selectors; the other list is in by then.
        const isLast = `${query?.['labelSelector']}`.startsWith('app.kubernetes.io/name=metallb')
        if (!isPools && !isLast) return undefined
        const isTime = () => (isPools ? controller?.isLeading : controller?.isIn) || undefined
        return until(`time for ${path}`, isTime).then(pass)
      }
      first = runController(fresh.kube, { spoil })
      await addressOf(those, 'web')
    } finally {
      await first?.stop()
      await fresh.stop()
    }
  })
})
