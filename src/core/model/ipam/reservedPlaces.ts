// Which entries of a Reservation count, and on which wires? A tenant can write Reservations: of
// another tenant's ranges (R12.4) only what was given to the host counts. That is what its block
// claims or its status shows, which tenants do not write.
import type { Reservation } from '../wires.ts'
import { placesOf } from './claimsOf.ts'
import type { HeldAddresses, Whose } from './heldAddresses.ts'
import type { IpSet } from './ipSet.ts'
import type { LinkRanges } from './linkRanges.ts'

/** As the entry spells it. */
export type Placed = Whose & { readonly network: string }

type Around = {
  readonly links: Pick<LinkRanges, 'isAnothers'>
  readonly held: Pick<HeldAddresses, 'isClaimed'>
  readonly ipSets: ReadonlyMap<string, IpSet>
}

export function mayHave({ links, held, ipSets }: Around, whose: Whose): boolean {
  const { wire, address, key } = whose
  const [namespace = ''] = key.split('/')
  if (!links.isAnothers(wire, namespace, address) || held.isClaimed(whose)) return true
  const shown = ipSets.get(key)?.status.reservations ?? []
  return shown.some((one) => one['address'] === address)
}

type Wires = {
  readonly wiresIn: (namespace: string, network: string) => readonly string[]
  readonly mayHave: (whose: Whose) => boolean
}

export const placesIn = (
  { key, namespace, entries }: Reservation,
  { wiresIn, mayHave: counts }: Wires,
): readonly Placed[] =>
  entries
    .flatMap(({ network, address }) =>
      address === undefined
        ? []
        : wiresIn(namespace, network).map((wire) => ({ wire, address, key, network })),
    )
    .filter(counts)

export function isSamePlaces(some: readonly Whose[], others: readonly Whose[]): boolean {
  const [was, is] = [placesOf(some), placesOf(others)]
  return was.size === is.size && [...is].every((place) => was.has(place))
}
