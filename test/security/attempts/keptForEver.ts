// Can a tenant fill a wire that it shares with hosts that it makes, deletes and keeps?
import { setTimeout as sleep } from 'node:timers/promises'
import { core, verbs } from '../../kube/cluster.ts'
import { until } from '../../kube/waits.ts'
import type { Attempt } from '../attempt.ts'
import { hostOfBetaIsServed, ipSet, netConfig, openstack, withObjects } from '../hosts.ts'

const range = {
  cidr: '192.168.8.0/24',
  allocationRanges: [{ start: '192.168.8.1', end: '192.168.8.3' }],
}
const shared = netConfig(range)
// The annotation on the NetConfigs is what made a wire common before the Namespaces did.
const wire = { 'berth.dev/wire': 'common' }
const config = { ...shared, metadata: { ...shared.metadata, annotations: wire } }
const keeping = { ...wire, 'berth.dev/keep': 'always' }
const ofTenant = { ...shared, metadata: { ...shared.metadata, annotations: keeping } }
const merge = 'application/merge-patch+json'

/** R12.14. */
export const keptForEver: Attempt = {
  name: 'A tenant makes and deletes hosts whose addresses are kept, on a wire that it shares',
  holds: "a tenant's account or token",
  mustHold: 'hosts of the other tenant get addresses',
  before: 'hosts of the other tenant waited',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const namespaces = verbs(stand.admin, core('namespaces'))
    const name = (value: string | null) => ({
      ...{ type: merge, body: { metadata: { annotations: { 'berth.dev/wire': value } } } },
    })
    for (const one of ['alpha', 'beta']) await namespaces.patch(one, name('common'))
    try {
      const objects = [{ of: openstack('netconfigs', 'alpha'), object: ofTenant }]
      await withObjects(stand, objects, async () => {
        const ipSets = verbs(stand.tenant, openstack('ipsets', 'alpha'))
        for (let round = 0; round < 3; round++) {
          await ipSets.create(ipSet(`kept-${round}`))
          await until('it has an address', async () => {
            const status = (await ipSets.get(`kept-${round}`))['status'] as Status | undefined
            return status?.reservations?.[0]
          })
          await ipSets.remove(`kept-${round}`)
        }
        // The blocks say who is gone within their pace.
        await sleep(1000)
        await hostOfBetaIsServed(stand, config)
      })
    } finally {
      for (const one of ['alpha', 'beta']) await namespaces.patch(one, name(null))
    }
  },
}

type Status = { readonly reservations?: readonly unknown[] }
