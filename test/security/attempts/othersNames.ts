// Can a tenant have the names of another point at itself?
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { loadBalancer, verbs } from '../../kube/cluster.ts'
import { shownBy } from '../../kube/controllers.ts'
import { until } from '../../kube/waits.ts'
import {
  type Attempt,
  addressIn,
  betaIsServed,
  isForbidden,
  servicesOf,
  settle,
  withService,
} from '../attempt.ts'
import { hostObject, openstack } from '../hosts.ts'

const hostname = 'keystone-internal.beta.svc'
const annotations = {
  'dnsmasq.network.openstack.org/hostname': hostname,
  'external-dns.alpha.kubernetes.io/hostname': hostname,
}

/** R13.5: the annotation counts for the DNS servers of the Service's own namespace. */
export const othersNames: Attempt = {
  name: "A Service claims another tenant's host name",
  holds: "a tenant's account or token",
  mustHold: "the DNS servers of the other tenant know only the tenant's own address",
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const theirs = servicesOf(stand.admin, 'beta')
    const servers = verbs(stand.admin, openstack('dnsmasqs', 'beta'))
    const data = verbs(stand.admin, openstack('dnsdata', 'beta'))
    const named = { ...loadBalancer('named'), metadata: { name: 'named', annotations } }
    await servers.create(hostObject('DNSMasq', 'names', {}))
    await theirs.create(named)
    try {
      const own = await until('beta has an address', async () =>
        shownBy(await theirs.get('named')).at(0),
      )
      const hosts = [{ ip: own, hostnames: [hostname] }]
      const hostsNow = async () => (await data.get('names-svc').catch(() => undefined))?.spec
      const knows = async () => isDeepStrictEqual((await hostsNow())?.['hosts'], hosts) || undefined
      await until('its DNS server knows it', knows)
      await withService(stand, { name: 'liar', annotations }, async (name) => {
        await addressIn(stand, name)
        await settle()
        expect((await hostsNow())?.['hosts']).toEqual(hosts)
      })
      const mine = hostObject('DNSData', 'mine', {
        hosts: [{ ip: '192.0.2.66', hostnames: [hostname] }],
      })
      await isForbidden(verbs(stand.tenant, openstack('dnsdata', 'beta')).create(mine))
    } finally {
      await theirs.remove('named')
      await servers.remove('names')
    }
    await betaIsServed(stand)
  },
}
