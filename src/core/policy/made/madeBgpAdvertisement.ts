// Which BGPAdvertisement is made from a tenant? One for all of its networks that are announced by
// BGP, to its own routers and to nobody else (R4.15).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { poolNameOf, type Tenant } from '../../model/tenant.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { routersOf } from './madeBgpPeer.ts'
import { madeFromTenant } from './madeObject.ts'
import { pooledNetworks } from './madePool.ts'

export function madeBgpAdvertisements(world: ReadonlyWorld, tenant: Tenant): readonly JsonObject[] {
  const networks = pooledNetworks(tenant).filter(({ announce }) => announce === 'BGP')
  const peers = routersOf(world, tenant).map(({ name }) => name)
  // Without peers it would go to all of them, those of other tenants too.
  if (networks.length === 0 || peers.length === 0) return []
  const place = { name: `bgpadvertisement-${tenant.name}`, namespace: world.ownNamespace }
  const spec = {
    ipAddressPools: networks.map((network) => poolNameOf(tenant.name, network.name)),
    peers,
  }
  const apiVersion = apiVersionOf(apiGroups.metallb)
  return [madeFromTenant(tenant, place, { apiVersion, kind: 'BGPAdvertisement', spec })]
}
