// Which pools, BGP advertisements and peers do not fit one another? (M8.1 rules 24 and 27) Refused
// when it is written; what came to be later is reported, and nothing else is touched (R9.1).
import type { BfdProfile, BgpAdvertisement, Peer } from '../../model/announcing.ts'
import type { Pool } from '../../model/pool.ts'
import type { Problem } from '../../model/problem.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { prefixesOf } from '../../net/intervals.ts'
import { shortText } from '../check/checkOverlap.ts'
import { coversPool } from './subject.ts'

export function misfitProblems(world: ReadonlyWorld): Problem[] {
  const parties = partiesOf(world)
  const wide = parties.advertisements.flatMap((by) =>
    parties.pools
      .filter((pool) => coversPool(by, pool))
      .flatMap((pool) => tooWide(by, pool))
      .map(({ field, why }): Problem => {
        const object = objectOf(by)
        const message = `the pool is not announced by it: ${why}`
        const code = 'aggregate-too-wide'
        return { code, severity: 'error', object, field: `spec.${field}`, message }
      }),
  )
  const echo = parties.advertisements.flatMap((by) =>
    echoMeetsIpv6({ ...parties, advertisements: [by] }).map((message): Problem => {
      return { code: 'echo-with-ipv6', severity: 'warning', object: objectOf(by), message }
    }),
  )
  const blind = parties.peers
    .filter(({ enableGracefulRestart, bfdProfile }) => enableGracefulRestart && bfdProfile === '')
    .map((peer): Problem => {
      const field = 'spec.enableGracefulRestart'
      const message = 'without a bfdProfile the router keeps the routes of a dead node for minutes'
      const code = 'restart-without-bfd'
      return { code, severity: 'warning', object: objectOf(peer), field, message }
    })
  return [...wide, ...echo, ...blind]
}

/** Of a range the largest block counts, as in MetalLB: at its edges more may be announced. */
export function tooWide(advertisement: BgpAdvertisement, pool: Pool) {
  return pool.ranges.flatMap((range) => {
    const field = range.family === 'IPv4' ? 'aggregationLength' : 'aggregationLengthV6'
    const length = advertisement[field]
    if (length === (range.family === 'IPv4' ? 32 : 128)) return []
    const shortest = Math.min(...prefixesOf(range).map((prefix) => prefix.length))
    if (length >= shortest) return []
    const why =
      `${field} ${length} of ${objectOf(advertisement)} is wider than ${shortText(range)} of ` +
      `${objectOf(pool)}; it must be at least ${shortest}`
    return [{ field, why }]
  })
}

type Parties = {
  readonly pools: readonly Pool[]
  readonly advertisements: readonly BgpAdvertisement[]
  readonly peers: readonly Peer[]
  readonly profiles: ReadonlyMap<string, BfdProfile>
}

export const partiesOf = (world: ReadonlyWorld): Parties => ({
  pools: byName(world.pools),
  advertisements: byName(world.all('BGPAdvertisement')),
  peers: byName(world.all('BGPPeer')),
  profiles: world.all('BFDProfile'),
})

/** The first meeting only: one says enough, and there may be very many. */
export function echoMeetsIpv6({
  pools,
  advertisements,
  peers,
  profiles,
}: Parties): readonly string[] {
  const echoing = peers.filter(({ bfdProfile }) => profiles.get(bfdProfile)?.echoMode === true)
  if (echoing.length === 0) return []
  const withIpv6 = pools.filter(({ ranges }) => ranges.some(({ family }) => family === 'IPv6'))
  for (const advertisement of advertisements) {
    const pool = withIpv6.find((one) => coversPool(advertisement, one))
    const peer = echoing.find(({ name }) => isTold(advertisement, name))
    if (pool === undefined || peer === undefined) continue
    return [
      `${objectOf(advertisement)} announces IPv6 addresses of ${objectOf(pool)} to ` +
        `${objectOf(peer)}, whose BFDProfile ${peer.bfdProfile} has echoMode, which is for IPv4 ` +
        'only; use a profile without echoMode, or another peer',
    ]
  }
  return []
}

const isTold = ({ peers }: BgpAdvertisement, peer: string): boolean =>
  peers.length === 0 || peers.includes(peer)

/** So that what is named first does not depend on the order of the map. */
export const byName = <T extends { readonly name: string }>(
  views: ReadonlyMap<string, T>,
): readonly T[] => [...views.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
