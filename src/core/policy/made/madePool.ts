// Which IPAddressPools are made from a tenant? One for each network with load-balancer ranges
// (R4.14), as unmodified MetalLB would read it.
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import { communityAnnotations } from '../../model/bgpAnnotations.ts'
import type { JsonObject } from '../../model/gate.ts'
import { type Network, poolNameOf, type Tenant } from '../../model/tenant.ts'
import { namespacesOf } from '../../model/tenantPools.ts'
import { madeFromTenant } from './madeObject.ts'

/** Those that get a pool, in their order. */
export const pooledNetworks = ({ networks, generate }: Tenant): readonly Network[] =>
  generate.includes('Pools') ? networks.filter(({ loadBalancer }) => loadBalancer.length > 0) : []

export const madePools = (tenant: Tenant, namespace: string): readonly JsonObject[] =>
  pooledNetworks(tenant).map((network) => {
    const name = poolNameOf(tenant.name, network.name)
    const { allowedCommunities: allowed } = tenant
    return madeFromTenant(
      tenant,
      { name, namespace },
      {
        apiVersion: apiVersionOf(apiGroups.metallb),
        kind: 'IPAddressPool',
        annotations: {
          'berth.dev/serves': network.name,
          ...(allowed !== undefined && { [communityAnnotations.allowed]: allowed }),
        },
        spec: {
          addresses: network.loadBalancerTexts,
          autoAssign: network.autoAssign,
          serviceAllocation: allocationOf(tenant),
        },
      },
    )
  })

function allocationOf(tenant: Tenant): JsonObject {
  const namespaces = namespacesOf(tenant)
  const { selector } = tenant
  return {
    ...(namespaces.length > 0 ? { namespaces } : {}),
    ...(selector === undefined ? {} : { namespaceSelectors: [plainSelector(selector)] }),
  }
}

const plainSelector = ({ matchLabels, matchExpressions }: NonNullable<Tenant['selector']>) => ({
  ...(Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
  ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
})
