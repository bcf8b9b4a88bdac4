// How is the record of an address written? Created, updated under its version, or deleted under uid
// and version, so that the API server itself refuses a second holder (R3.12).
import type { AddressView } from '../../core/model/address.ts'
import type { AddressWrite } from '../../core/policy/claims.ts'
import { addressWrite } from '../../core/policy/decideAddress.ts'
import type { ApiRequest } from '../../edge/kube/api/client.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

export const addresses = resourceOf('Address')
const contentType = 'application/merge-patch+json'

export function addressCall(decided: AddressWrite, before: AddressView | undefined): ApiRequest {
  const { uid = '', resourceVersion = '' } = before ?? {}
  const path = pathOf(addresses, decided.name)
  const write = addressWrite(decided)
  if (write.type === 'delete') {
    return { method: 'DELETE', path, body: { preconditions: { uid, resourceVersion } } }
  }
  const { spec } = write.object
  if (before === undefined) {
    return { method: 'POST', path: pathOf(addresses), body: write.object }
  }
  const body = { metadata: { uid, resourceVersion }, spec }
  return { method: 'PATCH', path, contentType, body }
}

/** A record that is right already, taken over for one version of the Service. */
export function renewCall({ name, uid, resourceVersion }: AddressView, claim: string): ApiRequest {
  const metadata = { uid, resourceVersion, annotations: { 'berth.dev/claim': claim } }
  return { method: 'PATCH', path: pathOf(addresses, name), contentType, body: { metadata } }
}
