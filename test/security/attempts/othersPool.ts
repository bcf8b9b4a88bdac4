// Can a Service get what belongs to another tenant by asking?
import { verbs } from '../../kube/cluster.ts'
import { pool } from '../../kube/controllers.ts'
import {
  type Attempt,
  betaIsServed,
  metallb,
  openRange,
  ownNamespace,
  victimIp,
  waits,
  withService,
} from '../attempt.ts'

const [openIp = ''] = openRange.split('-')
const ways = [
  { name: 'by-name', annotations: { 'metallb.io/address-pool': 'beta-lan' } },
  { name: 'by-served-name', annotations: { 'metallb.io/address-pool': 'vault' } },
  { name: 'by-address', annotations: { 'metallb.io/loadBalancerIPs': '198.51.100.30' } },
  { name: 'by-old-name', annotations: { 'metallb.universe.tf/address-pool': 'beta-lan' } },
  { name: 'by-old-address', annotations: { 'metallb.universe.tf/loadBalancerIPs': victimIp } },
  { name: 'by-field', spec: { loadBalancerIP: '198.51.100.29' } },
  { name: 'open-pool', annotations: { 'metallb.io/address-pool': 'open' } },
  { name: 'open-address', annotations: { 'metallb.io/loadBalancerIPs': openIp } },
]

/** A pool of beta that answers to a name of its own. */
const served = {
  ...pool('beta-more', ['198.51.100.40-198.51.100.47']),
  metadata: {
    ...{ name: 'beta-more', namespace: ownNamespace },
    ...{ annotations: { 'berth.dev/serves': 'vault' }, labels: { 'berth.dev/tenant': 'beta' } },
  },
}

/** R4.4, R4.5, R4.10: every way in which a Service can ask. */
export const othersPool: Attempt = {
  name: 'A Service asks for a pool or an address of another tenant: by name, served name, address or field',
  holds: "a tenant's account or token",
  mustHold: 'it waits, and the other tenant keeps what it has',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const pools = verbs(stand.admin, metallb('ipaddresspools'))
    await pools.create(served)
    try {
      for (const way of ways) {
        await withService(stand, way, (name) => waits(stand, name, /Pool|Tenant|Address/))
      }
    } finally {
      await pools.remove('beta-more')
    }
    await betaIsServed(stand)
  },
}
