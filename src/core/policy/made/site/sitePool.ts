// Which IPAddressPools are made from a Site? One for each of its two addresses (R6.1).
import { apiGroups, apiVersionOf } from '../../../model/apiGroups.ts'
import type { JsonObject } from '../../../model/gate.ts'
import type { External, Site } from '../../../model/site.ts'
import { hostPrefix } from '../../../model/sitePools.ts'
import { type Vip, vipNames, vipsFor } from '../../../model/siteVips.ts'
import { madeFromSite } from '../madeObject.ts'

const vips: readonly Vip[] = ['api', 'ingress']

export const sitePools = (
  site: Site,
  external: External,
  namespace: string,
): readonly JsonObject[] =>
  vips.map((vip) =>
    madeFromSite(
      site,
      { name: vipNames[vip].pool, namespace },
      {
        apiVersion: apiVersionOf(apiGroups.metallb),
        kind: 'IPAddressPool',
        spec: { addresses: vipsFor(external, vip).map(hostPrefix), autoAssign: false },
      },
    ),
  )
