// Can a tenant keep an address from another, or take one that is kept for another?
import { loadBalancer, verbs } from '../../kube/cluster.ts'
import { shownBy } from '../../kube/controllers.ts'
import { until } from '../../kube/waits.ts'
import {
  type Attempt,
  berthKind,
  betaIsServed,
  isForbidden,
  servicesOf,
  waits,
  withService,
} from '../attempt.ts'

const keptIp = '198.51.100.25'
const reservation = (ip: string, namespace: string) => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Address',
  metadata: { name: ip },
  spec: { address: ip, reservedFor: { namespace, name: 'later' } },
})

/** R3.2, R3.3: by writing one, and by the name of the Service that it is for. */
export const reservations: Attempt = {
  name: 'A tenant reserves addresses of others, or poses as the Service that one is reserved for',
  holds: "a tenant's account or token",
  mustHold: 'it is answered 403 or waits, and the Service that it is reserved for gets it',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const [mine, all] = [stand.tenant, stand.admin].map((api) => verbs(api, berthKind('addresses')))
    if (mine === undefined || all === undefined) return
    await isForbidden(mine.create(reservation('198.51.100.24', 'alpha')))
    await all.create(reservation(keptIp, 'beta'))
    const annotations = { 'metallb.io/loadBalancerIPs': keptIp }
    await withService(stand, { name: 'later', annotations }, (name) =>
      waits(stand, name, /Pool|Tenant|Address/),
    )
    const theirs = servicesOf(stand.admin, 'beta')
    await theirs.create(loadBalancer('later'))
    await until('beta has what is reserved for it', async () =>
      shownBy(await theirs.get('later')).includes(keptIp) ? true : undefined,
    )
    await theirs.remove('later')
    await all.remove(keptIp)
    await betaIsServed(stand)
  },
}
