// What does a Service hold from before? What its status shows, else what an Address says (R3.9).
import type { Ip } from '../net/ip.ts'
import type { Holding } from './ledger.ts'
import type { ServiceView } from './service.ts'
import type { Claim } from './slot.ts'
import type { Claimed } from './viewStore.ts'

type Terms = Pick<Claim, 'isConfirmed'> & Partial<Pick<Claim, 'ports' | 'backend' | 'sharingKey'>>
type Adopted = { readonly ips: readonly Ip[]; readonly terms: Terms }

/** `claimed`: what Addresses say of this very Service; what they record are its terms (R3.11). */
export function adopted(service: ServiceView, claimed: readonly Claimed[]): Adopted {
  const said = claimed.map(({ address }) => address.address)
  const ips = service.ingress.length > 0 ? service.ingress : said
  const isConfirmed = ips.every((ip) => said.includes(ip))
  const [record] = claimed
  if (!isConfirmed || record === undefined) return { ips, terms: { isConfirmed } }
  const { sharingKey } = record.address
  const { ports, backend } = record.holder
  return { ips, terms: { isConfirmed, ports, backend, sharingKey } }
}

/** Nothing new, not even that an Address confirms what the status showed. */
export const isKnown = ({ ips, terms }: Adopted, before: Holding | undefined): boolean =>
  before !== undefined &&
  sameIps(ips, before.ips) &&
  (before.claim.isConfirmed || !terms.isConfirmed)

const sameIps = (one: readonly Ip[], other: readonly Ip[]): boolean =>
  one.length === other.length && one.every((ip, index) => ip === other[index])
