// How is the record of an address written? Created, updated under its version, or deleted under uid
// and version, so that the API server itself refuses a second holder (R3.12).
import type { AddressView } from '../../core/model/address.ts'
import type { AddressWrite } from '../../core/policy/decideAddress.ts'
import type { ApiRequest } from '../../edge/kube/api/client.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { resourceOf, typeOf } from '../../edge/kube/kinds.ts'

export const addresses = resourceOf('Address')
const contentType = 'application/merge-patch+json'

export function addressCall(write: AddressWrite, before: AddressView | undefined): ApiRequest {
  const path = pathOf(addresses, write.name)
  const { uid = '', resourceVersion = '' } = before ?? {}
  if (write.type === 'delete') {
    return { method: 'DELETE', path, body: { preconditions: { uid, resourceVersion } } }
  }
  const { address, pool, sharingKey, holders } = write.spec
  const spec = { address, pool, sharingKey, holders }
  if (!write.isNew) {
    const body = { metadata: { uid, resourceVersion }, spec }
    return { method: 'PATCH', path, contentType, body }
  }
  const labels = { 'app.kubernetes.io/managed-by': 'berth' }
  const metadata = { name: write.name, labels }
  const body = { ...typeOf('Address'), metadata, spec }
  return { method: 'POST', path: pathOf(addresses), body }
}

/** A record that is right already, taken over for one version of the Service. */
export function renewCall({ name, uid, resourceVersion }: AddressView, claim: string): ApiRequest {
  const metadata = { uid, resourceVersion, annotations: { 'berth.dev/claim': claim } }
  return { method: 'PATCH', path: pathOf(addresses, name), contentType, body: { metadata } }
}
