// Which kinds does Berth read for OpenStack beside the addresses of hosts? Names and their servers,
// and pods that routers are told of. Part of the table of kinds.
import { apiGroups } from '../../core/model/apiGroups.ts'
import { hostsLabel, nameServerLabel } from '../../core/model/names/dnsLabels.ts'
import {
  decodeDeployment,
  decodeDnsData,
  decodeDnsMasq,
  decodeHostsMap,
  decodeTopology,
} from './decode/decodeDns.ts'
import {
  decodeBgpConfiguration,
  decodeFrrConfiguration,
  decodePod,
} from './decode/decodePodRoutes.ts'

const { core, apps } = apiGroups
const openstack = { ...apiGroups.openstack, scope: 'namespaced' } as const
const written = { cli: true, pruned: true } as const
const writes = ['CREATE', 'UPDATE'] as const

export const openstackKinds = [
  {
    ...openstack,
    ...written,
    kind: 'DNSMasq',
    plural: 'dnsmasqs',
    webhook: { name: 'dnsmasqvalidationwebhook', operations: writes },
    isCompleted: true,
    decode: decodeDnsMasq,
    openstack: 'optional',
  },
  {
    ...openstack,
    ...written,
    kind: 'DNSData',
    plural: 'dnsdata',
    webhook: { name: 'dnsdatavalidationwebhook', operations: writes },
    decode: decodeDnsData,
    openstack: 'optional',
  },
  {
    ...core,
    kind: 'ConfigMap',
    plural: 'configmaps',
    scope: 'namespaced',
    labelSelector: hostsLabel,
    decode: decodeHostsMap,
    openstack: 'optional',
    cli: true,
  },
  {
    ...apps,
    kind: 'Deployment',
    plural: 'deployments',
    scope: 'namespaced',
    labelSelector: `${nameServerLabel},app.kubernetes.io/managed-by=berth`,
    decode: decodeDeployment,
    openstack: 'optional',
  },
  {
    ...apiGroups.topology,
    kind: 'Topology',
    plural: 'topologies',
    scope: 'namespaced',
    decode: decodeTopology,
    openstack: 'optional',
  },
  {
    ...openstack,
    ...written,
    kind: 'BGPConfiguration',
    plural: 'bgpconfigurations',
    webhook: { name: 'bgpconfigurationvalidationwebhook', operations: writes },
    decode: decodeBgpConfiguration,
    openstack: 'optional',
  },
  // Written by the speakers too, where frr-k8s has the sessions.
  {
    ...apiGroups.frrK8s,
    kind: 'FRRConfiguration',
    plural: 'frrconfigurations',
    scope: 'namespaced',
    decode: decodeFrrConfiguration,
    openstack: 'optional',
    cli: true,
  },
  // Watched in the namespaces that have a BGPConfiguration: no list of all is ever read.
  { ...core, kind: 'Pod', plural: 'pods', scope: 'namespaced', decode: decodePod },
] as const
