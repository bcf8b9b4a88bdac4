// Which BGPPeers are made from a tenant? One for each of its routers, once a network is announced
// by BGP (R4.15). A router that several tenants name alike is one BGPPeer, since a router takes one
// session from a node (R4.24).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { Tenant, TenantPeer } from '../../model/tenant.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { madeFromTenant } from './madeObject.ts'
import { pooledNetworks } from './madePool.ts'

type Router = TenantPeer & { readonly myASN: number }
type TenantRouter = {
  readonly router: Router
  /** Its BGPPeer. */
  readonly name: string
  /** The tenant that it is made from. */
  readonly maker: Tenant
}

export const isByBgp = (tenant: Tenant): boolean =>
  pooledNetworks(tenant).some(({ announce }) => announce === 'BGP')

export function madeBgpPeers(world: ReadonlyWorld, tenant: Tenant): readonly JsonObject[] {
  const { ownNamespace: namespace } = world
  return routersOf(world, tenant)
    .filter(({ maker }) => maker === tenant)
    .map(({ name, router }) =>
      madeFromTenant(
        tenant,
        { name, namespace },
        {
          apiVersion: apiVersionOf(apiGroups.metallbPeers),
          kind: 'BGPPeer',
          spec: {
            myASN: router.myASN,
            peerASN: router.asn,
            peerAddress: router.address,
            ...(router.passwordSecret === ''
              ? {}
              : { passwordSecret: { name: router.passwordSecret } }),
          },
        },
      ),
    )
}

/** In the order of its list. */
export function routersOf(world: ReadonlyWorld, tenant: Tenant): readonly TenantRouter[] {
  if (!isByBgp(tenant)) return []
  return ownRouters(tenant).map((router) => {
    const maker = makerOf(world, tenant, router)
    const index = ownRouters(maker).findIndex((one) => isSameRouter(one, router))
    return { router, maker, name: nameOf(maker, index) }
  })
}

const ownRouters = ({ bgp: { myASN, peers } }: Tenant): readonly Router[] =>
  peers.map((peer) => ({ ...peer, myASN }))

const nameOf = ({ name }: Tenant, index: number): string =>
  index === 0 ? `bgp-peer-${name}` : `bgp-peer-${name}-${index + 1}`

/** The tenant that already made it, else the first by name: sessions do not move needlessly. */
function makerOf(world: ReadonlyWorld, tenant: Tenant, router: Router): Tenant {
  const all = [...world.all('Tenant').values()]
  const sharing = all.filter((one) => one.name !== tenant.name && isByBgp(one))
  const named = [tenant, ...sharing].filter((one) =>
    ownRouters(one).some((other) => isSameRouter(other, router)),
  )
  const first = named.sort((one, other) => (one.name < other.name ? -1 : 1))
  return first.find((one) => hasMade(world, one, router)) ?? first[0] ?? tenant
}

const hasMade = (world: ReadonlyWorld, { name }: Tenant, { address }: Router): boolean =>
  [...world.all('BGPPeer').values()].some(
    ({ maker, peerAddress }) => maker === `Tenant/${name}` && peerAddress === address,
  )

/** With the same password too, or it is another session. */
const isSameRouter = (one: Router, other: Router): boolean =>
  one.address === other.address &&
  one.asn === other.asn &&
  one.myASN === other.myASN &&
  one.passwordSecret === other.passwordSecret
