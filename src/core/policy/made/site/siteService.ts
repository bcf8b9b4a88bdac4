// Which Services are made from a Site? One in front of the API and one in front of ingress (R6.1).
import { apiGroups, apiVersionOf } from '../../../model/apiGroups.ts'
import type { JsonObject } from '../../../model/gate.ts'
import type { External, Site } from '../../../model/site.ts'
import { type Vip, vipNames, vipsFor } from '../../../model/siteVips.ts'
import { familyOf } from '../../../net/ip.ts'
import { madeFromSite } from '../madeObject.ts'
import { nameOf } from './siteNames.ts'

/** Read by external-dns, and by DNS servers that follow Services. */
const hostnameAnnotation = 'external-dns.alpha.kubernetes.io/hostname'

export function siteServices(
  site: Site,
  external: External,
  loadBalancerClass: string,
): readonly JsonObject[] {
  const vips: readonly Vip[] = ['api', 'ingress']
  return vips.map((vip) => {
    const { pool, service: name } = vipNames[vip]
    const { namespace, selector, ports } = site[vip]
    const { baseDomain } = external
    const families = vipsFor(external, vip).map(familyOf)
    return madeFromSite(
      site,
      { name, namespace },
      {
        apiVersion: apiVersionOf(apiGroups.core),
        kind: 'Service',
        annotations: {
          'metallb.io/address-pool': pool,
          ...(baseDomain === '' ? {} : { [hostnameAnnotation]: nameOf(baseDomain, vip) }),
        },
        spec: {
          type: 'LoadBalancer',
          ...(loadBalancerClass === '' ? {} : { loadBalancerClass }),
          ipFamilyPolicy: families.length > 1 ? 'RequireDualStack' : 'SingleStack',
          ipFamilies: families,
          selector,
          ports: ports.map((port) => ({
            name: `tcp-${port}`,
            protocol: 'TCP',
            port,
            targetPort: port,
          })),
        },
      },
    )
  })
}
