// May the Site be deleted? Not while its routes are on the nodes (R6.12): nmstate keeps what a
// deleted policy made.
import type { FieldError } from '../../model/admission.ts'
import { forbidden } from '../../model/fieldError.ts'
import { textAt } from '../../model/json.ts'
import type { Site } from '../../model/site.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { sitePolicyOf } from '../made/site/siteRoutes.ts'

export function checkSiteDelete(
  world: ReadonlyWorld,
  { mayBeDeleted }: Site,
): readonly FieldError[] {
  const policy = sitePolicyOf(world)
  if (policy === undefined || mayBeDeleted) return []
  const routes = (policy.ofSite?.routes ?? []).map((route) => textAt(route, 'destination'))
  const remedy =
    'take its routes away first (berth site apply --unplug) and wait until the policy is gone, ' +
    'or annotate the Site berth.dev/allow-delete: "true"'
  const has = `NodeNetworkConfigurationPolicy/${policy.name} still has ${routes.join(', ')}`
  return [forbidden('', `site-in-use: ${has}; ${remedy}`)]
}
