// Can a tenant keep the others waiting?
import { loadBalancer } from '../../kube/cluster.ts'
import { type Attempt, betaIsServed, servicesOf } from '../attempt.ts'

const lanes = 8
const rounds = 12

/** A tenant that makes and deletes as fast as it is let. */
export const churn: Attempt = {
  name: 'A tenant makes and deletes Services without a pause',
  holds: "a tenant's account or token",
  mustHold: 'Services of others get their addresses meanwhile',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const mine = servicesOf(stand.tenant)
    const busy = Array.from({ length: lanes }, async (_, lane) => {
      for (let round = 0; round < rounds; round++) {
        const name = `busy-${lane}-${round}`
        await mine.create(loadBalancer(name))
        await mine.remove(name)
      }
    })
    await betaIsServed(stand)
    await Promise.all(busy)
    await betaIsServed(stand)
  },
}
