// Which routes is this about? Address family and subsequent family, RFC 4760 §3; unicast alone.
import type { Family } from '../../net/ip.ts'

const afis: Readonly<Record<Family, number>> = { IPv4: 1, IPv6: 2 }
const unicast = 1

type FamilyCode = { readonly afi: number; readonly safi: number }

export const codeOf = (family: Family): FamilyCode => ({ afi: afis[family], safi: unicast })

/** Undefined where it is none of ours. */
export function familyBy({ afi, safi }: FamilyCode): Family | undefined {
  if (safi !== unicast) return undefined
  return afi === afis.IPv4 ? 'IPv4' : afi === afis.IPv6 ? 'IPv6' : undefined
}
