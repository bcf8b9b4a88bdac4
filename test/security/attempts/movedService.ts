// Does an address follow a Service into another namespace?
import { expect } from 'vitest'
import { loadBalancer } from '../../kube/cluster.ts'
import { shownBy } from '../../kube/controllers.ts'
import { until } from '../../kube/waits.ts'
import {
  type Attempt,
  addressIn,
  alphaRange,
  betaIsServed,
  servicesOf,
  waits,
  withService,
} from '../attempt.ts'

const movedIp = '198.51.100.27'
const annotations = { 'metallb.io/loadBalancerIPs': movedIp }
const moved = { ...loadBalancer('moved'), metadata: { name: 'moved', annotations } }

/** R4.1, R4.5: the same manifest in a namespace of another tenant; and a name that both pools serve. */
export const movedService: Attempt = {
  name: "A Service of another tenant is created again in the attacker's namespace",
  holds: "a tenant's account or token",
  mustHold: "it waits; names that both tenants use mean the attacker's own objects there",
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const theirs = servicesOf(stand.admin, 'beta')
    await theirs.create(moved)
    await until('beta has it', async () => shownBy(await theirs.get('moved'))[0])
    // While it is there, and after it has gone.
    const taking = { name: 'moved', annotations }
    await withService(stand, taking, (name) => waits(stand, name, /Pool|Tenant|Address/))
    await theirs.remove('moved')
    await withService(stand, taking, (name) => waits(stand, name, /Pool|Tenant|Address/))
    const served = { name: 'served', annotations: { 'metallb.io/address-pool': 'lan' } }
    await withService(stand, served, async (name) => {
      const last = (ip: string): number => Number(ip.split('.')[3])
      const [first = '', end = ''] = alphaRange.split('-')
      const own = last(await addressIn(stand, name))
      expect(own >= last(first) && own <= last(end)).toBe(true)
    })
    await betaIsServed(stand)
  },
}
