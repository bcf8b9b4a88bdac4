// On what does it depend which pool serves a Service? The steps of `allocate` with their results.
import type { Pool } from '../../model/pool.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ip } from '../../net/ip.ts'
import { type Choice, poolsFor } from '../choosePools.ts'
import { type Found, findOffer } from '../offers.ts'
import { offerReserved } from '../reserved.ts'
import type { Offer, Search } from '../search.ts'
import { type Translated, translate } from '../translate.ts'
import type { Wish } from '../wish.ts'

/** What is at fault or decides: the request, an address asked for or reserved, the pools' order. */
type Matter = 'request' | 'address' | 'reservation' | 'choice'

export type Case = {
  readonly search: Search
  readonly matter: Matter
  /** Absent where an address alone is asked for, or where the request itself is at fault. */
  readonly choice: Choice | undefined
  readonly translated: Translated
  /** The addresses asked for, as they are meant. */
  readonly meant: readonly Ip[]
  readonly reserved: Offer | undefined
  /** The search through the pools of the choice. */
  readonly found: Found | undefined
}

/** As if the Service held nothing: to be called inside `world.without`. */
export function caseOf(world: ReadonlyWorld, wish: Wish): Case {
  const search: Search = { world, wish, claim: world.claimOf(wish.service) }
  const translated = translate(world, wish)
  const meant = translated.ok ? translated.addresses : []
  const isFaulty = wish.isAmbiguous || wish.flaw !== undefined || !translated.ok
  const reserved = isFaulty || wish.asked.length > 0 ? undefined : offerReserved(search)
  const matter = matterOf({ isFaulty, meant, reserved })
  const choice = wish.name !== '' || matter === 'choice' ? poolsFor(world, wish) : undefined
  const isSearched = matter === 'choice' && choice?.ok === true
  const found = isSearched ? findOffer(search, choice.lists) : undefined
  return { search, matter, choice, translated, meant, reserved, found }
}

type Known = Pick<Case, 'meant' | 'reserved'> & { readonly isFaulty: boolean }

function matterOf({ isFaulty, meant, reserved }: Known): Matter {
  if (isFaulty) return 'request'
  if (meant.length > 0) return 'address'
  return reserved === undefined ? 'choice' : 'reservation'
}

/** Every pool: those that the decision considers in its order, then the others by name. */
export function poolsInOrder({ search, meant, reserved, choice }: Case): Pool[] {
  const { world, wish } = search
  const homes = meant.map((ip) => world.poolOf(ip)).filter((pool) => pool !== undefined)
  const named = world.poolIndex.answering(wish.name)
  const listed = choice?.ok === true ? choice.lists.flat() : named
  const rest = [...world.pools.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  const first = reserved === undefined ? homes : [reserved.pool]
  return [...new Set([...first, ...listed, ...named, ...rest])]
}
