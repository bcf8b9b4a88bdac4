// Which schemas do the kinds have that Berth reads and others define? Types and server defaults.
import { type KindName, rowOf } from '../kinds.ts'
import type { Schema } from './schema.ts'
import { flag, type KnownKind, listOf, mapOf, oneOf, open, text } from './schemaParts.ts'

export const metadataSchema: Schema = open(
  {
    name: text,
    namespace: text,
    uid: text,
    resourceVersion: text,
    creationTimestamp: { type: 'string', format: 'date-time' },
    labels: mapOf(text),
    annotations: mapOf(text),
    finalizers: listOf(text),
  },
  ['name'],
)

const port: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 }
const protocol: Schema = { ...oneOf('TCP', 'UDP', 'SCTP'), default: 'TCP' }
const conditions = listOf(open({ type: text, status: text, reason: text, message: text }, ['type']))

const service = {
  spec: open({
    type: {
      ...oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
      default: 'ClusterIP',
    },
    ports: listOf(
      open(
        {
          name: text,
          port,
          protocol,
          targetPort: { 'x-kubernetes-int-or-string': true },
          nodePort: { type: 'integer', format: 'int32', minimum: 0, maximum: 65535 },
        },
        ['port'],
      ),
    ),
    selector: mapOf(text),
    clusterIP: text,
    clusterIPs: listOf(text),
    ipFamilies: listOf(oneOf('IPv4', 'IPv6')),
    ipFamilyPolicy: oneOf('SingleStack', 'PreferDualStack', 'RequireDualStack'),
    externalTrafficPolicy: oneOf('Cluster', 'Local'),
    loadBalancerClass: text,
    loadBalancerIP: text,
  }),
  status: open({
    loadBalancer: open({ ingress: listOf(open({ ip: text, hostname: text, ipMode: text })) }),
    conditions,
  }),
}

const node = {
  spec: open({ unschedulable: flag }),
  status: open({ addresses: listOf(open({ type: text, address: text })), conditions }),
}

const endpointSlice = {
  addressType: oneOf('IPv4', 'IPv6', 'FQDN'),
  endpoints: listOf(
    open(
      {
        addresses: listOf(text),
        conditions: open({ ready: flag, serving: flag, terminating: flag }),
        nodeName: text,
      },
      ['addresses'],
    ),
  ),
  ports: listOf(open({ name: { ...text, default: '' }, protocol, port })),
}

/** nmstate reads a number that is written as text, as kustomize's replacements leave it. */
const whole: Schema = { 'x-kubernetes-int-or-string': true }
const address = open({ ip: text, 'prefix-length': whole })
const family = open({ enabled: flag, address: listOf(address) })
const nodePolicy = {
  spec: open({
    nodeSelector: mapOf(text),
    desiredState: open({
      interfaces: listOf(
        open({
          name: text,
          type: text,
          vlan: open({ 'base-iface': text, id: whole }),
          ipv4: family,
          ipv6: family,
        }),
      ),
      routes: open({ config: listOf(open({ destination: text, 'next-hop-address': text })) }),
    }),
  }),
}

const data = mapOf(text)
const object = (fields: Readonly<Record<string, Schema>>, required: readonly string[] = []) =>
  open({ apiVersion: text, kind: text, metadata: metadataSchema, ...fields }, [
    'metadata',
    ...required,
  ])

const known = (kind: KindName, schema: Schema): KnownKind => {
  const { group, version, plural, scope } = rowOf(kind)
  return { group, version, kind, plural, namespaced: scope !== 'cluster', schema }
}

export const coreKinds: readonly KnownKind[] = [
  known('Service', object(service)),
  known('Namespace', object({})),
  known('Node', object(node)),
  known('Secret', object({ type: { ...text, default: 'Opaque' }, data, stringData: data })),
  known('ConfigMap', object({ data, binaryData: data })),
  known('ServiceAccount', object({})),
  known('Deployment', object({ spec: open({}) })),
  known('Role', object({})),
  known('RoleBinding', object({})),
  known('Topology', object({ spec: open({}) })),
  known('Pod', object({ spec: open({ nodeName: text }), status: open({ phase: text }) })),
  known('FRRConfiguration', object({ spec: open({ bgp: open({ routers: listOf(open({})) }) }) })),
  known('EndpointSlice', object(endpointSlice, ['addressType'])),
  known('NetworkAttachmentDefinition', object({ spec: open({ config: text }) })),
  known('NodeNetworkConfigurationPolicy', object(nodePolicy)),
  known('IPPool', object({ spec: open({ range: text, allocations: mapOf(open({})) }) })),
]
