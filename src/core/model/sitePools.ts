// Which pools does a Site make? One for each of its two addresses (R6.1), known to decisions from
// the Site itself: what the API shows of them may lag or be edited.
import { bitsOf, familyOf, type Ip, toBigInt } from '../net/ip.ts'
import type { Pool } from './pool.ts'
import { externalOf, type Site, siteName } from './site.ts'
import { type Vip, vipNames, vipsFor } from './siteVips.ts'

/** Of a pool: what it was made from, where a tenant's name stands otherwise. */
export const siteMaker = `Site/${siteName}`

export function poolsOfSite(site: Site, namespace: string): Pool[] {
  const external = externalOf(site)
  if (external === undefined) return []
  const vips: readonly Vip[] = ['api', 'ingress']
  return vips.map((vip) => ({
    kind: 'IPAddressPool',
    name: vipNames[vip].pool,
    namespace,
    createdAt: site.createdAt,
    labels: {},
    ranges: vipsFor(external, vip).map((ip) => {
      const value = toBigInt(ip)
      return { family: familyOf(ip), first: value, last: value }
    }),
    autoAssign: false,
    avoidBuggyIPs: false,
    allocation: undefined,
    serves: [],
    badServes: [],
    whenFull: '',
    split: '',
    tenant: '',
    madeFrom: siteMaker,
    isOurs: true,
    status: undefined,
  }))
}

export const hostPrefix = (ip: Ip): string => `${ip}/${bitsOf(familyOf(ip))}`
