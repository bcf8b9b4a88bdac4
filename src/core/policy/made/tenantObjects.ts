// Which objects are made from a tenant, kind by kind (R4.14 to R4.18)? And which made earlier are
// no longer needed?
import type { JsonObject } from '../../model/gate.ts'
import type { Tenant } from '../../model/tenant.ts'
import type { ViewOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ref } from '../../model/write.ts'
import { madeAttachments } from './madeAttachment.ts'
import { madeBgpAdvertisements } from './madeBgpAdvertisement.ts'
import { madeBgpPeers } from './madeBgpPeer.ts'
import { keyOf, type MadeKind, madeKinds, makerOf } from './madeKinds.ts'
import { madeL2Advertisements } from './madeL2Advertisement.ts'
import { madeNetConfigs } from './madeNetConfig.ts'
import { madePools } from './madePool.ts'

/** What others refer to comes first. */
export function tenantObjects(world: ReadonlyWorld, tenant: Tenant): readonly JsonObject[] {
  const { ownNamespace } = world
  return [
    ...madePools(tenant, ownNamespace),
    ...madeL2Advertisements(tenant, ownNamespace),
    ...madeBgpPeers(world, tenant),
    ...madeBgpAdvertisements(world, tenant),
    ...madeAttachments(world, tenant),
    ...madeNetConfigs(tenant),
  ]
}

/** What lost its owner is left where it is. */
const isOwnedBy = (view: ViewOf<MadeKind>, maker: string): boolean =>
  view.kind === 'IPAddressPool'
    ? view.madeFrom !== '' && makerOf(view) === maker
    : view.maker === maker

type Maker = { readonly maker: string; readonly kinds?: readonly MadeKind[] }

/** In the order of the kinds and of their names. */
export function unwantedObjects(
  world: ReadonlyWorld,
  { maker, kinds = madeKinds }: Maker,
  wanted: readonly Ref[],
): readonly Ref[] {
  const kept = new Set(wanted.map((of) => `${of.kind}/${keyOf(of)}`))
  return kinds.flatMap((kind) =>
    [...world.all(kind)]
      .filter(([key, view]) => isOwnedBy(view, maker) && !kept.has(`${kind}/${key}`))
      .map(([, { name, namespace }]): Ref => ({ kind, name, namespace }))
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  )
}
