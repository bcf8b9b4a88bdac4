// What does every object carry that we make? A label, its maker as owner, and a name (R4.19).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { managed } from '../../model/made.ts'
import type { Site } from '../../model/site.ts'
import type { Tenant } from '../../model/tenant.ts'
import { tenantLabel } from '../../model/tenantPools.ts'

/** In a namespace or, for a kind of the cluster, in none. */
type NameIn = { readonly name: string; readonly namespace?: string }

type Body = { readonly apiVersion: string; readonly kind: string; readonly spec: JsonObject }

export function madeFromTenant(
  tenant: Tenant,
  nameIn: NameIn,
  { apiVersion, kind, spec, ...meta }: Body & { readonly annotations?: JsonObject },
): JsonObject {
  const labels = { ...managed, [tenantLabel]: tenant.name }
  const ownerReferences = [ownerOf('Tenant', tenant)]
  return { apiVersion, kind, metadata: { ...nameIn, labels, ...meta, ownerReferences }, spec }
}

export function madeFromSite(
  { name, uid }: Site,
  nameIn: NameIn,
  { apiVersion, kind, spec, ...meta }: Body & { readonly annotations?: JsonObject },
): JsonObject {
  const labels = { ...managed, 'berth.dev/site': name }
  const ownerReferences = [ownerOf('Site', { name, uid })]
  return { apiVersion, kind, metadata: { ...nameIn, labels, ...meta, ownerReferences }, spec }
}

const ownerOf = (
  kind: 'Tenant' | 'Site',
  { name, uid }: { readonly name: string; readonly uid: string },
): JsonObject => ({ apiVersion: apiVersionOf(apiGroups.berth), kind, name, uid, controller: true })
