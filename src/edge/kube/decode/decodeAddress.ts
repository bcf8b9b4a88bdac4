// Who holds an address, or for whom is it reserved? An Address object (R3).
import type { AddressView, Holder } from '../../../core/model/address.ts'
import type { ReleasedPool } from '../../../core/model/releasedPool.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { isManaged } from '../annotations.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'
import { internedList } from './interned.ts'

/** Undefined if the address cannot be parsed, which is then listed as an error (R3.8). */
export function decodeAddress(object: Fields): AddressView | undefined {
  const { name, uid, resourceVersion, labels } = metaOf(object)
  const spec = object.inner('spec')
  const address = spec.parseRequired('address', parseIp)
  if (address === undefined) return undefined
  const reservedFor = spec.inner('reservedFor')
  return {
    kind: 'Address',
    // An IPv4 address is its own name, so one string serves both.
    name: name === address ? address : name,
    uid,
    resourceVersion,
    address,
    isOurs: isManaged(labels),
    reservedFor: spec.has('reservedFor')
      ? `${reservedFor.text('namespace')}/${reservedFor.text('name')}`
      : undefined,
    note: spec.text('note'),
    pool: spec.text('pool'),
    sharingKey: spec.text('sharingKey'),
    holders: spec.each('holders').map(holderOf),
    ...(spec.has('sharedWith') && { sharedWith: spec.text('sharedWith') }),
  }
}

export const decodeReleasedPool = (object: Fields): ReleasedPool => ({
  kind: 'ReleasedPool',
  name: metaOf(object).name,
})

const holderOf = (holder: Fields): Holder => ({
  kind: holder.text('kind'),
  namespace: holder.text('namespace'),
  name: holder.text('name'),
  uid: holder.text('uid'),
  ports: internedList(holder.texts('ports')),
  backend: holder.text('backend'),
})
