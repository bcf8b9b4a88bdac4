// What does every object carry that is made from a DNSMasq or a DNSData? Labels, and an owner with
// which it goes.
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { DnsData, DnsMasq } from '../../model/names/dns.ts'
import { isLabelValue } from '../../model/names.ts'

type Maker = Pick<DnsMasq | DnsData, 'kind' | 'name' | 'namespace' | 'uid'>

export function madeFromDns(
  maker: Maker,
  object: JsonObject & { readonly name: string; readonly labels?: JsonObject },
): JsonObject {
  const { name, labels = {}, annotations, apiVersion, kind, ...rest } = object
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: maker.namespace,
      labels: { ...labels, ...labelsOf(maker) },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [ownerOf(maker)],
    },
    ...rest,
  }
}

/** A name may be longer than a label's value. */
function labelsOf({ name, namespace, uid }: Maker): JsonObject {
  const labels = { uid, namespace, name }
  return Object.fromEntries(
    Object.entries(labels)
      .filter(([, value]) => isLabelValue(value))
      .map(([key, value]) => [`${prefix}${key}`, value]),
  )
}

const prefix = 'dnsmasq.openstack.org/'
export const serverNameLabel = `${prefix}name`

const ownerOf = ({ kind, name, uid }: Maker): JsonObject => ({
  apiVersion: apiVersionOf(apiGroups.openstack),
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
})
