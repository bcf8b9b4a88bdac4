// Can a Service get what belongs to another tenant by asking?
import { type Attempt, betaIsServed, openRange, victimIp, waits, withService } from '../attempt.ts'

const [openIp = ''] = openRange.split('-')
const ways = [
  { name: 'by-name', annotations: { 'metallb.io/address-pool': 'beta-lan' } },
  { name: 'by-address', annotations: { 'metallb.io/loadBalancerIPs': '198.51.100.30' } },
  { name: 'by-old-name', annotations: { 'metallb.universe.tf/address-pool': 'beta-lan' } },
  { name: 'by-old-address', annotations: { 'metallb.universe.tf/loadBalancerIPs': victimIp } },
  { name: 'by-field', spec: { loadBalancerIP: '198.51.100.29' } },
  { name: 'open-pool', annotations: { 'metallb.io/address-pool': 'open' } },
  { name: 'open-address', annotations: { 'metallb.io/loadBalancerIPs': openIp } },
]

/** R4.4, R4.5, R4.10: every way in which a Service can ask. */
export const othersPool: Attempt = {
  name: 'A Service asks for a pool or an address that is not of its tenant',
  holds: "a tenant's account or token",
  mustHold: 'it waits, and the other tenant keeps what it has',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    for (const way of ways) {
      await withService(stand, way, (name) => waits(stand, name, /Pool|Tenant|Address/))
    }
    await betaIsServed(stand)
  },
}
