// What follows from decisions: pool status, and what tenants make and say, on a real API server.
import { expect, test } from 'vitest'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { jsonPatch, type KubeObject, merge } from './cluster.ts'
import { cluster, ip, namespace, onCluster, restart, running, services } from './controllerCase.ts'
import { addressOf, asking, conditionOf, isWrite, pool, shownBy, writesIn } from './controllers.ts'
import { until } from './waits.ts'

const tenant = (spec: object = {}): object => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name: namespace },
  spec: {
    namespaces: { names: [namespace] },
    networks: [{ name: 'api', cidrs: [`${net}.0/24`], loadBalancer: [`${net}.80-${net}.89`] }],
    ...spec,
  },
})
let net = ''
let third = 0
const newNet = (): string => {
  net = `172.30.${++third}`
  return net
}
const made = (): string => `${namespace}-api`
const poolIs = (what: string, is: (found: KubeObject) => boolean) =>
  until(`the made pool ${what}; ${running.log.slice(-5).join('\n')}`, async () => {
    const found = await cluster.pools.get(made()).catch(() => undefined)
    return found !== undefined && is(found) ? found : undefined
  })
const statusOf = async (name: string) => (await cluster.tenants.get(name)).status ?? {}
const hasOwner = ({ metadata }: KubeObject): boolean =>
  JSON.stringify(metadata).includes('"ownerReferences"')

onCluster('pool status', () => {
  test('[M1.1] a pool with more addresses than JSON can count has the largest number', async () => {
    await cluster.pools.create(pool('huge', ['2001:db8:1::/64', '2001:db8:2::/120']))
    const { status } = await until('it has a status', async () => {
      const found = await cluster.pools.get('huge')
      return found.status?.['availableIPv6'] === undefined ? undefined : found
    })
    expect(status).toMatchObject({ assignedIPv6: 0, availableIPv6: Number.MAX_SAFE_INTEGER })
    await running.quiet()
    await cluster.pools.remove('huge')
  })
})

onCluster('what a tenant makes and says', () => {
  test('[R4.19] what was edited is put back, what we no longer want goes, the rest stays', async () => {
    newNet()
    await cluster.tenants.create(tenant())
    await poolIs('is there', hasOwner)
    const edit = {
      metadata: { labels: { theirs: 'x', 'berth.dev/tenant': null }, annotations: { also: 'y' } },
      spec: { addresses: ['203.0.113.0/30'], avoidBuggyIPs: true },
    }
    await cluster.pools.patch(made(), { type: merge, body: edit })
    const after = await poolIs('is as it was', ({ spec, metadata }) => {
      const isBack = JSON.stringify(spec?.['addresses']) === JSON.stringify([`${net}.80-${net}.89`])
      return isBack && metadata.labels?.['berth.dev/tenant'] === namespace
    })
    expect(after).toMatchObject({
      metadata: { labels: { theirs: 'x' }, annotations: { also: 'y', 'berth.dev/serves': 'api' } },
      spec: { avoidBuggyIPs: true },
    })
    // Refused by the check, so that no decision follows it: put back all the same.
    await cluster.pools.patch(made(), {
      type: merge,
      body: { spec: { addresses: [`${ip(3)}/32`] } },
    })
    await poolIs('is as it was again', ({ spec }) => {
      return JSON.stringify(spec?.['addresses']) === JSON.stringify([`${net}.80-${net}.89`])
    })
    const namespaces = { names: null, selector: { matchLabels: { of: namespace } } }
    await cluster.tenants.patch(namespace, { type: merge, body: { spec: { namespaces } } })
    const { spec } = await poolIs('is for the selector', (found) =>
      JSON.stringify(found.spec).includes('namespaceSelectors'),
    )
    expect(spec?.['serviceAllocation']).not.toHaveProperty('namespaces')
  })

  test('[R4.19] a made pool that lost its owner, as after a restore, is taken back', async () => {
    newNet()
    await cluster.tenants.create(tenant())
    await poolIs('is there', hasOwner)
    await running.quiet()
    const body = [{ op: 'remove', path: '/metadata/ownerReferences' }]
    await cluster.pools.patch(made(), { type: jsonPatch, body })
    await poolIs('has its owner again', hasOwner)
    await running.quiet()
    expect(await statusOf(namespace)).toMatchObject({ conditions: [{ reason: 'Ready' }] })
  })

  test('[R4.19] a tenant whose pools outlived it, as by --cascade=orphan, takes them back', async () => {
    newNet()
    await cluster.tenants.create(tenant())
    await poolIs('is there', hasOwner)
    await restart(async () => {
      const body = [{ op: 'remove', path: '/metadata/ownerReferences' }]
      await cluster.pools.patch(made(), { type: jsonPatch, body })
      await cluster.tenants.remove(namespace)
    })
    await running.quiet()
    const { metadata } = await cluster.pools.get(made())
    await cluster.tenants.create(tenant())
    const after = await poolIs('has its owner again', hasOwner)
    expect(after.metadata.uid).toBe(metadata.uid)
    await until('the tenant is ready', async () => {
      return JSON.stringify(await statusOf(namespace)).includes('"Ready"') ? true : undefined
    })
  })

  test('[R4.19] of a tenant that is being deleted nothing is made or mended', async () => {
    newNet()
    await cluster.tenants.create(tenant())
    await poolIs('is there', hasOwner)
    const kept = { metadata: { finalizers: ['theirs.example/keep'] } }
    await cluster.tenants.patch(namespace, { type: merge, body: kept })
    await running.quiet()
    await cluster.tenants.remove(namespace)
    await running.quiet()
    const body = [{ op: 'remove', path: '/metadata/ownerReferences' }]
    await cluster.pools.patch(made(), { type: jsonPatch, body })
    await running.quiet()
    expect(hasOwner(await cluster.pools.get(made()))).toBe(false)
    const free = { metadata: { finalizers: null } }
    await cluster.tenants.patch(namespace, { type: merge, body: free })
    await running.quiet()
    expect((await cluster.pools.get(made())).metadata.deletionTimestamp).toBeUndefined()
  })

  test('[R4.20] [R3.16] the pools of a deleted tenant count no more, though they take a while to go', async () => {
    newNet()
    const open = pool(`${namespace}-open`, [`${ip(20)}/32`])
    const metadata = { ...Object(open).metadata, annotations: { 'berth.dev/serves': 'api' } }
    await cluster.pools.create({ ...open, metadata })
    const network = { name: 'api', cidrs: [`${net}.0/24`], loadBalancer: [`${net}.80/32`] }
    const { metadata: named, ...rest } = Object(tenant({ networks: [network] }))
    const annotations = { 'berth.dev/allow-delete': 'true' }
    await cluster.tenants.create({ ...rest, metadata: { ...named, annotations } })
    await services.create(asking('older', 'api'))
    expect(await addressOf(services, 'older')).toBe(`${net}.80`)
    await services.create(asking('younger', 'api'))
    await until('the younger one waits', async () => conditionOf(await services.get('younger')))
    await poolIs('is there', hasOwner)
    const kept = { metadata: { finalizers: ['theirs.example/keep'] } }
    await cluster.pools.patch(made(), { type: merge, body: kept })
    await running.quiet()
    await cluster.tenants.remove(namespace)
    await until('the older one has moved', async () => {
      return shownBy(await services.get('older'))[0] === ip(20) ? true : undefined
    })
    expect(shownBy(await services.get('younger'))).toEqual([])
    const free = { metadata: { finalizers: null } }
    await cluster.pools.patch(made(), { type: merge, body: free })
  })

  test('[R4.19] a pool of that name that we did not make is not touched', async () => {
    newNet()
    const { metadata } = await cluster.pools.create(pool(made(), [`${net}.10/32`]))
    await cluster.tenants.create(tenant())
    await until('the tenant says so', async () => {
      const status = JSON.stringify(await statusOf(namespace))
      return status.includes('NameTaken') ? true : undefined
    })
    const { spec, metadata: after } = await cluster.pools.get(made())
    expect(spec?.['addresses']).toEqual([`${net}.10/32`])
    expect([after.uid, after.labels]).toEqual([metadata.uid, metadata.labels])
  })

  test('a quota that is removed leaves the status, and its conditions of others stay', async () => {
    newNet()
    await cluster.tenants.create(tenant({ quota: { addresses: 3 } }))
    await until('it says its quota', async () => {
      return JSON.stringify(await statusOf(namespace)).includes('"quota":3') ? true : undefined
    })
    const theirs = {
      type: 'theirs.example/Seen',
      status: 'True',
      reason: 'Seen',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    const { conditions } = await statusOf(namespace)
    const body = { status: { conditions: [...(conditions as object[]), theirs] } }
    await cluster.tenants.patch(namespace, { type: merge, subresource: 'status', body })
    await cluster.tenants.patch(namespace, { type: merge, body: { spec: { quota: null } } })
    const status = await until('its quota is gone', async () => {
      const found = await statusOf(namespace)
      return JSON.stringify(found).includes('quota') ? undefined : found
    })
    expect(status['conditions']).toEqual(expect.arrayContaining([theirs]))
  })
})

onCluster('writes that fail', () => {
  test('a refused write is logged, backed off and tried again; others go on', async () => {
    newNet()
    const [bad, good] = [`${namespace}-bad`, `${namespace}-good`]
    let isBroken = true
    const spoil = (request: Parameters<typeof isWrite>[0]) => {
      if (!isBroken || !isWrite(request) || !request.path.includes(`/${bad}/status`)) return
      const refusal = { request: request.path, code: 500, reason: '', message: 'spoilt' }
      return Promise.reject(
        new ApiError({ ...refusal, status: undefined, retryAfterMs: undefined }),
      )
    }
    await restart(undefined, { spoil })
    await cluster.pools.create(pool(bad, [`${net}.1/32`]))
    await cluster.pools.create(pool(good, [`${net}.2/32`]))
    await until('the good one has a status', async () => (await cluster.pools.get(good)).status)
    const tries = () => writesIn(running.seen).filter((text) => text.includes(`/${bad}/`)).length
    await until('the bad one is tried again', () => (tries() > 2 ? true : undefined))
    expect(running.log.join('\n')).toContain(`"object":"IPAddressPool ${bad}"`)
    expect(running.controller.troubles.failures.get('pool-status')).toBeGreaterThan(1)
    isBroken = false
    await until('the bad one has a status too', async () => (await cluster.pools.get(bad)).status)
    await running.quiet()
    const settled = writesIn(running.seen).length
    await running.quiet()
    expect(writesIn(running.seen).length).toBe(settled)
    await restart()
  })
})
