// How does an Address look? One that Berth wrote, and nobody has yet; tests say what differs.
import type { AddressView, Holder } from '../../src/core/model/address.ts'
import type { ServiceView } from '../../src/core/model/service.ts'
import { ip } from './announcing.ts'

export const addressRecord = (text: string, given: Partial<AddressView> = {}): AddressView => ({
  kind: 'Address',
  name: text,
  uid: 'record',
  resourceVersion: '1',
  address: ip(text),
  isOurs: true,
  reservedFor: undefined,
  note: '',
  pool: '',
  sharingKey: '',
  holders: [],
  ...given,
})

export const holderOf = ({ namespace, name, uid, ports }: ServiceView): Holder => ({
  ...{ kind: 'Service', namespace, name, uid, ports, backend: '' },
})
