// Which namespaces does a manifest name? In a scenario those exist (FORMAT.md).
import { apiGroups, apiVersionOf } from '../model/apiGroups.ts'
import { isRecord, type Json, recordAt, textAt, textsAt } from '../model/json.ts'

export function namespacesIn(manifest: Json): readonly string[] {
  const spec = recordAt(manifest, 'spec')
  const kind = textAt(manifest, 'kind')
  const named = kind === 'Tenant' ? namedByTenant(spec) : kind === 'Site' ? namedBySite(spec) : []
  return [...new Set([...ownNamespaceIn(manifest), ...named])].filter((name) => name !== '')
}

/** The one that it is in, if it is in any. */
export function ownNamespaceIn(manifest: Json): readonly string[] {
  const own = textAt(recordAt(manifest, 'metadata'), 'namespace')
  return own === '' ? [] : [own]
}

function namedByTenant(spec: Json): readonly string[] {
  const { services } = spec
  const listed = Array.isArray(services) ? services.filter(isRecord) : []
  const ofServices = listed.map((service) => textAt(service, 'namespace'))
  return [...textsAt(recordAt(spec, 'namespaces'), 'names'), ...ofServices]
}

/** Its defaults too: who names a Site names where its Services stand. */
const namedBySite = (spec: Json): readonly string[] => [
  textAt(recordAt(spec, 'api'), 'namespace') || 'openshift-kube-apiserver',
  textAt(recordAt(spec, 'ingress'), 'namespace') || 'openshift-ingress',
]

export const namespaceNamed = (name: string): Json => ({
  apiVersion: apiVersionOf(apiGroups.core),
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
})
