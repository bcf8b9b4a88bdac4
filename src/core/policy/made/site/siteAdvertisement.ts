// Which advertisement is made from a Site? `external`, for both pools (R6.1, R6.8).
import { apiGroups, apiVersionOf } from '../../../model/apiGroups.ts'
import type { JsonObject } from '../../../model/gate.ts'
import type { External, Site } from '../../../model/site.ts'
import { vipNames } from '../../../model/siteVips.ts'
import { madeFromSite } from '../madeObject.ts'

export function siteAdvertisement(site: Site, external: External, namespace: string): JsonObject {
  const ipAddressPools = [vipNames.api.pool, vipNames.ingress.pool]
  const { interface: link, bgpPeers, announce } = external
  const apiVersion = apiVersionOf(apiGroups.metallb)
  const place = { name: 'external', namespace }
  if (announce === 'BGP') {
    const spec = { ipAddressPools, ...(bgpPeers.length === 0 ? {} : { peers: bgpPeers }) }
    return madeFromSite(site, place, { apiVersion, kind: 'BGPAdvertisement', spec })
  }
  const spec = { ipAddressPools, ...(link === '' ? {} : { interfaces: [link] }) }
  return madeFromSite(site, place, { apiVersion, kind: 'L2Advertisement', spec })
}
