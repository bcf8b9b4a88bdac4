// Two controllers that both believe to lead, and one tenant with a quota: are more addresses given
// than it may have (R4.9)?
import { expect, test } from 'vitest'
import { watches } from './churn.ts'
import { loadBalancer } from './cluster.ts'
import { shownBy } from './controllers.ts'
import { stand, underFaults } from './faultCase.ts'
import { named } from './faultStand.ts'
import { until } from './waits.ts'

const quota = 5

underFaults('quotas', () => {
  test.each(watches)('[R4.9] two leaders and a rush: $title', async ({ first, second }) => {
    const { namespace, cluster, services, ip } = stand
    await cluster.pools.remove(namespace)
    await cluster.tenants.create({
      apiVersion: 'berth.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name: namespace },
      spec: {
        namespaces: { names: [namespace] },
        quota: { addresses: quota },
        networks: [
          { name: 'lan', cidrs: [ip(0).concat('/24')], loadBalancer: [`${ip(1)}-${ip(99)}`] },
        ],
      },
    })
    const one = stand.run({ lines: first })
    const other = stand.run({ lines: second })
    await Promise.all([one.quiet(), other.quiet()])
    const most: number[] = []
    const count = async (): Promise<number> => {
      const { items } = await services.list()
      const shown = new Set(items.flatMap(shownBy)).size
      most.push(shown)
      return shown
    }
    const isFull = () =>
      until('the quota is used up', async () => ((await count()) >= quota ? true : undefined))
    for (let turn = 0; turn < 8; turn++) {
      const names = named(`t${turn}-`, 12)
      await Promise.all(names.map((name) => services.create(loadBalancer(name))))
      await isFull()
      await Promise.all(names.slice(0, 8).map((name) => services.remove(name)))
    }
    await isFull()
    await one.stop()
    await other.quiet()
    await count()
    expect(Math.max(...most)).toBe(quota)
    expect(most.at(-1)).toBe(quota)
    for (const { metadata } of (await services.list()).items) await services.remove(metadata.name)
    await other.quiet()
    await cluster.tenants.remove(namespace)
  })
})
