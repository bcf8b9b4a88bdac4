// What is made from a Site, kind by kind (R6.1)?
import type { JsonObject } from '../../../model/gate.ts'
import { externalOf, type Site } from '../../../model/site.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { siteAdvertisement } from './siteAdvertisement.ts'
import { sitePools } from './sitePool.ts'
import { siteServices } from './siteService.ts'

/** What others refer to comes first. */
export function siteObjects(world: ReadonlyWorld, site: Site): readonly JsonObject[] {
  const external = externalOf(site)
  if (external === undefined) return []
  const { ownNamespace, loadBalancerClass } = world
  return [
    ...sitePools(site, external, ownNamespace),
    siteAdvertisement(site, external, ownNamespace),
    ...siteServices(site, external, loadBalancerClass),
  ]
}
