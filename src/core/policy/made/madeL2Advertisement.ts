// Which L2Advertisements are made from a tenant? One for each pool of a network that is announced
// by layer 2, on the network's interface (R4.15).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { linkOf, poolNameOf, type Tenant } from '../../model/tenant.ts'
import { madeFromTenant } from './madeObject.ts'
import { pooledNetworks } from './madePool.ts'

export const madeL2Advertisements = (tenant: Tenant, namespace: string): readonly JsonObject[] =>
  pooledNetworks(tenant)
    .filter(({ announce }) => announce === 'Layer2')
    .map((network) => {
      const [name, link] = [`${network.name}-${tenant.name}`, linkOf(network)]
      return madeFromTenant(
        tenant,
        { name, namespace },
        {
          apiVersion: apiVersionOf(apiGroups.metallb),
          kind: 'L2Advertisement',
          spec: {
            ipAddressPools: [poolNameOf(tenant.name, network.name)],
            ...(link === '' ? {} : { interfaces: [link] }),
          },
        },
      )
    })
