// Which pools does a tenant make? One for each network with load-balancer ranges (R4.14), known to
// decisions from the tenant itself: what the API shows of them may lag or be edited (R4.19).
import type { Pool } from './pool.ts'
import { poolNameOf, type Tenant } from './tenant.ts'

export const tenantLabel = 'berth.dev/tenant'

export function poolsMadeFrom(tenant: Tenant, namespace: string): Pool[] {
  if (!tenant.generate.includes('Pools')) return []
  const { allowedCommunities: allowed } = tenant
  return tenant.networks
    .filter(({ loadBalancer }) => loadBalancer.length > 0)
    .map((network) => ({
      kind: 'IPAddressPool',
      name: poolNameOf(tenant.name, network.name),
      namespace,
      createdAt: tenant.createdAt,
      labels: { [tenantLabel]: tenant.name },
      ranges: network.loadBalancer,
      autoAssign: network.autoAssign,
      avoidBuggyIPs: false,
      allocation: {
        priority: 0,
        namespaces: namespacesOf(tenant),
        namespaceSelectors: tenant.selector === undefined ? [] : [tenant.selector],
        serviceSelectors: [],
      },
      serves: [network.name],
      badServes: [],
      whenFull: '',
      split: '',
      ...(allowed !== undefined && { allowedCommunities: allowed }),
      tenant: tenant.name,
      madeFrom: tenant.name,
      isOurs: true,
      status: undefined,
    }))
}

/** The listed ones, then those of the listed Services, each once. */
export function namespacesOf({ namespaces, services }: Tenant): string[] {
  const ofServices = services.map((key) => key.slice(0, key.indexOf('/')))
  return [...new Set([...namespaces, ...ofServices])]
}

/**
 * Whether the pool that stands under a name the tenant wants is the one that was made from it. A
 * backup brings it back without owners, but with our labels (R4.19).
 */
export const isMadeFrom = ({ madeFrom, isOurs, tenant }: Pool, name: string): boolean =>
  madeFrom === name || (madeFrom === '' && isOurs && tenant === name)
