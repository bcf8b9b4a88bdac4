// Can a tenant use up, or learn of, the wire that another tenant's hosts are on?
import { expect } from 'vitest'
import { core, verbs } from '../../kube/cluster.ts'
import { until } from '../../kube/waits.ts'
import { type Attempt, isForbidden, settle } from '../attempt.ts'
import { hostObject, hostOfBetaIsServed, netConfig, openstack, withObjects } from '../hosts.ts'

const annotations = { 'berth.dev/wire': 'of-beta' }
const merge = 'application/merge-patch+json'
const range = {
  cidr: '192.168.7.0/24',
  allocationRanges: [{ start: '192.168.7.1', end: '192.168.7.2' }],
}
const given = netConfig(range)
const config = { ...given, metadata: { ...given.metadata, annotations } }
const grabs = ['192.168.7.1', '192.168.7.2'].map((fixedIP, at) =>
  hostObject('IPSet', `grab-${at}`, {
    networks: [{ name: 'ctlplane', subnetName: 's1', fixedIP }],
  }),
)

/** R12.4. */
export const anothersWire: Attempt = {
  name: "A tenant names another tenant's wire, and takes all addresses of its range",
  holds: "a tenant's account or token",
  mustHold:
    "hosts of the other tenant get addresses, and the Namespace is not the tenant's to edit",
  before: 'hosts of the other tenant waited',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const namespaces = verbs(stand.admin, core('namespaces'))
    const name = (wire: string | null) => ({
      ...{ type: merge, body: { metadata: { annotations: { 'berth.dev/wire': wire } } } },
    })
    await namespaces.patch('beta', name('of-beta'))
    try {
      await isForbidden(verbs(stand.tenant, core('namespaces')).patch('alpha', name('of-beta')))
      const objects = [
        { of: openstack('netconfigs', 'alpha'), object: config },
        ...grabs.map((object) => ({ of: openstack('ipsets', 'alpha'), object })),
      ]
      await withObjects(stand, objects, async () => {
        const ipSets = verbs(stand.admin, openstack('ipsets', 'alpha'))
        await until('the grabs are decided', async () => {
          const { status } = await ipSets.get('grab-1')
          return status === undefined ? undefined : status
        })
        await settle()
        await hostOfBetaIsServed(stand, config)
      })
      expect(stand.isRunning()).toBe(true)
    } finally {
      await namespaces.patch('beta', name(null))
    }
  },
}
