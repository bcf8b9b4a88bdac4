// How do views that say the same use one text for it? A Service, its slices and its Addresses come
// in objects of their own, and so do their keys, uids and addresses: with 10,000 Services 3.6 MB.
import type { Ip } from '../net/ip.ts'
import { type AddressView, keyOfHolder } from './address.ts'
import type { ReadonlyLedger } from './ledger.ts'
import type { Key, ServiceView } from './service.ts'
import type { View } from './view.ts'

type Known = {
  readonly services: ReadonlyMap<Key, ServiceView>
  readonly ledger: Pick<ReadonlyLedger, 'slot'>
}

/** Equal to the view. */
export function withSharedTexts(known: Known, view: View): View {
  if (view.kind === 'Service') return ofService(known, view)
  if (view.kind === 'Address') return ofAddress(known, view)
  if (view.kind !== 'EndpointSlice') return view
  return { ...view, service: known.services.get(view.service)?.key ?? view.service }
}

function ofService({ services, ledger }: Known, view: ServiceView): ServiceView {
  const before = services.get(view.key)
  return {
    ...view,
    key: before?.key ?? view.key,
    uid: shared(view.uid, before?.uid),
    createdAt: shared(view.createdAt, before?.createdAt),
    ingress: view.ingress.map((ip) => sharedIp(ledger, ip)),
  }
}

function ofAddress({ services, ledger }: Known, view: AddressView): AddressView {
  const address = sharedIp(ledger, view.address)
  return {
    ...view,
    // An IPv4 address is its own name, so one text serves both.
    name: shared(view.name, address),
    address,
    holders: view.holders.map((holder) => ({
      ...holder,
      uid: shared(holder.uid, services.get(keyOfHolder(holder))?.uid),
    })),
  }
}

const sharedIp = (ledger: Known['ledger'], ip: Ip): Ip => ledger.slot(ip)?.ip ?? ip

const shared = (text: string, known: string | undefined): string => (text === known ? known : text)
