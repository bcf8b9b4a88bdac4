// Which names point at the addresses of a Site (R6.4)?
import type { External } from '../../../model/site.ts'
import { type Vip, vipsFor } from '../../../model/siteVips.ts'
import type { Ip } from '../../../net/ip.ts'

type SiteName = { readonly name: string; readonly address: Ip }

export const nameOf = (baseDomain: string, vip: Vip): string =>
  vip === 'api' ? `api.${baseDomain}` : `*.apps.${baseDomain}`

export function siteNames(external: External | undefined): readonly SiteName[] {
  if (external === undefined || external.baseDomain === '') return []
  const vips: readonly Vip[] = ['api', 'ingress']
  return vips.flatMap((vip) =>
    vipsFor(external, vip).map((address) => ({ name: nameOf(external.baseDomain, vip), address })),
  )
}
