// Which communities may a Service add to its routes? Those that it asks for and its pool allows:
// who writes a Service has no agreement with the routers about their meaning (R8.16).
import { communityAnnotations } from '../../model/bgpAnnotations.ts'
import type { Pool } from '../../model/pool.ts'
import type { ServiceView } from '../../model/service.ts'
import { counted } from '../../net/counted.ts'
import { type Aliases, resolveCommunities } from './communities.ts'

type Refused = {
  readonly code: 'bad-annotation' | 'community-not-allowed'
  readonly message: string
}
type Granted = {
  /** In text order. */
  readonly values: readonly string[]
  /** What is not granted, and why. */
  readonly refused: readonly Refused[]
}

const most = 63
/** Room for so many, by value or alias; a Service can have 256 KiB of annotations. */
const longest = 4096
const nothing: Granted = { values: [], refused: [] }

export function grantedTo(service: ServiceView, pool: Pool, aliases: Aliases): Granted {
  if (service.communities === undefined) return nothing
  const { length } = service.communities
  if (length > longest) {
    const read = `it is ${counted(length, 'character')} long, but at most ${longest} are read`
    const message = `${read}: the Service gets no communities`
    return { values: [], refused: [{ code: 'bad-annotation', message }] }
  }
  const asked = resolveCommunities(listIn(service.communities), aliases)
  if (asked.values.length > most) {
    const asks = `it asks for ${asked.values.length} communities`
    const message = `${asks}, but a route can have at most ${most}: the Service gets none`
    return { values: [], refused: [{ code: 'bad-annotation', message }] }
  }
  const allowed = new Set(resolveCommunities(allowedIn(pool), aliases).values)
  const [values, others] = [
    asked.values.filter((value) => allowed.has(value)),
    asked.values.filter((value) => !allowed.has(value)),
  ]
  const unread = asked.unknown.map((text): Refused => {
    const message = `${JSON.stringify(text)} is neither a:b, large:a:b:c nor an alias: left out`
    return { code: 'bad-annotation', message }
  })
  const denied = others.map((value): Refused => {
    const message = `${communityAnnotations.allowed} of pool ${pool.name} does not list ${value}`
    return { code: 'community-not-allowed', message: `${message}: left out` }
  })
  return { values, refused: [...unread, ...denied] }
}

export const allowedIn = ({ allowedCommunities }: Pool): readonly string[] =>
  listIn(allowedCommunities ?? '')

/** Separated by commas; spaces are ignored. */
const listIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
