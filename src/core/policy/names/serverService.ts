// Which Service leads to a DNS server? Port 53 of both protocols, with the DNSMasq's override.
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { managed } from '../../model/made.ts'
import type { DnsMasq } from '../../model/names/dns.ts'
import { serverLabel } from '../../model/names/dnsLabels.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { madeFromDns, serverNameLabel } from './madeFromDns.ts'

export const serverLabels = { [serverLabel.key]: serverLabel.value }
/** Inside a pod. */
export const serverPort = 5353
export const serverName = ({ name }: Pick<DnsMasq, 'name'>): string => `dnsmasq-${name}`

const ingress = 'core.openstack.org/ingress_create'

export function serverService(world: ReadonlyWorld, server: DnsMasq): JsonObject {
  const { override } = server
  return madeFromDns(server, {
    apiVersion: apiVersionOf(apiGroups.core),
    kind: 'Service',
    name: serverName(server),
    labels: { ...serverLabels, ...managed, ...override.labels },
    annotations: { [ingress]: 'false', ...override.annotations },
    spec: {
      type: 'ClusterIP',
      selector: selectorOf(world, server),
      ports: [
        { name: 'dnsmasq', port: 53, protocol: 'UDP', targetPort: serverPort },
        { name: 'dnsmasq-tcp', port: 53, protocol: 'TCP', targetPort: serverPort },
      ],
      ...override.spec,
    },
  })
}

/** With a second server in the namespace each has its own pods; upstream's have no such label. */
function selectorOf(world: ReadonlyWorld, { name, namespace }: DnsMasq): JsonObject {
  const servers = [...world.all('DNSMasq').values()].filter((one) => one.namespace === namespace)
  return servers.length > 1 ? { ...serverLabels, [serverNameLabel]: name } : serverLabels
}
