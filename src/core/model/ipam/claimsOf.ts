// What does a block claim, and for whom (R12.5)?
import { type AddressBlock, type BlockHolder, keyOfBlockHolder } from './addressBlock.ts'
import type { Whose } from './heldAddresses.ts'

export type BlockClaim = { readonly holder: BlockHolder; readonly whose: Whose }

/** Nobody is there whom it is for. */
export const isGone = ({ holder }: BlockClaim): boolean => holder.gone !== ''

export const claimsOf = ({ wire, holders }: AddressBlock): readonly BlockClaim[] =>
  holders.map((holder) => ({
    holder,
    whose: { wire, address: holder.address, key: keyOfBlockHolder(holder) },
  }))

/** Who has which address where, as one text. */
export const placeOf = ({ wire, address, key }: Whose): string => `${wire} ${address} ${key}`

export const placesOf = (all: readonly Whose[]): ReadonlySet<string> => new Set(all.map(placeOf))
