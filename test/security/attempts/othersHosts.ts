// Can a tenant take the addresses of another by what it writes for hosts of its own?
import { type Attempt, betaIsServed, settle } from '../attempt.ts'
import { hostObject, netConfig, openstack, withObjects } from '../hosts.ts'

const all = Array.from({ length: 16 }, (_, at) => `198.51.100.${16 + at}`)
const entries = all.map((address, at) => [`n${at}`, { network: `n${at}`, subnet: 's1', address }])
const reservation = hostObject('Reservation', 'grab', {
  ipSetRef: { name: 'grab', namespace: 'alpha' },
  reservation: Object.fromEntries(entries),
})
const routes = all.map((nexthop) => ({ destination: '10.0.0.0/8', nexthop }))
const config = netConfig({ cidr: '198.51.100.0/24', allocationRanges: [], routes })

/** Section 5: what a tenant says of its wires counts for the tenant. */
export const othersHosts: Attempt = {
  name: "A tenant uses up another tenant's whole pool with its own hosts and gateways",
  holds: "a tenant's account or token",
  mustHold: 'the other tenant gets addresses of its pool',
  before: 'the pool gave its tenant nothing',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const objects = [
      { of: openstack('reservations', 'alpha'), object: reservation },
      { of: openstack('netconfigs', 'alpha'), object: config },
    ]
    await withObjects(stand, objects, async () => {
      await settle()
      await betaIsServed(stand)
    })
  },
}
