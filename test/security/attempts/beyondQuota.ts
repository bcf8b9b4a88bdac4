// Does a quota hold against many at once?
import { expect } from 'vitest'
import { loadBalancer } from '../../kube/cluster.ts'
import { conditionOf } from '../../kube/controllers.ts'
import { until } from '../../kube/waits.ts'
import { type Attempt, betaIsServed, hasAddress, quota, servicesOf } from '../attempt.ts'

/** R4.9: many at once, and again while some are deleted and made anew. */
export const beyondQuota: Attempt = {
  name: 'A tenant makes more Services than its quota has addresses',
  holds: "a tenant's account or token",
  mustHold: 'never more addresses than the quota are shown, and the other Services wait',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const [mine, all] = [servicesOf(stand.tenant), servicesOf(stand.admin)]
    const names = Array.from({ length: 2 * quota }, (_, at) => `greedy-${at}`)
    await Promise.all(names.map((name) => mine.create(loadBalancer(name))))
    const decided = () =>
      until('all are decided', async () => {
        const { items } = await all.list()
        const greedy = items.filter(({ metadata }) => metadata.name.startsWith('greedy-'))
        expect(greedy.filter(hasAddress).length).toBeLessThanOrEqual(quota)
        const isDone = greedy.filter(hasAddress).length === quota
        const isAll = greedy.every((one) => conditionOf(one) !== undefined)
        return isDone && isAll ? greedy : undefined
      })
    for (const service of await decided()) {
      if (!hasAddress(service)) expect(conditionOf(service)?.reason).toBe('QuotaExceeded')
    }
    for (const name of names.slice(0, quota)) {
      await mine.remove(name)
      await mine.create(loadBalancer(name))
    }
    await decided()
    for (const name of names) await mine.remove(name)
    await betaIsServed(stand)
  },
}
