// Do pools, BGP advertisements and peers fit one another? (M8.1 rules 24, 25 and 27) Whichever
// comes last is refused.
import type { FieldError } from '../../model/admission.ts'
import type { BfdProfile, BgpAdvertisement, Peer } from '../../model/announcing.ts'
import { forbidden } from '../../model/fieldError.ts'
import type { Pool } from '../../model/pool.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { byName, echoMeetsIpv6, partiesOf, tooWide } from '../announce/misfits.ts'
import { coversPool } from '../announce/subject.ts'
import { shareNode } from './checkNodes.ts'

/** Of a pool that is new or changed; `path` is the field that lists its addresses. */
export function checkAnnounced(world: ReadonlyWorld, pool: Pool, path: string): FieldError[] {
  const covering = byName(world.all('BGPAdvertisement')).filter((one) => coversPool(one, pool))
  const pairs = covering.flatMap((one, index) =>
    covering.slice(index + 1).map((other) => [one, other] as const),
  )
  const reasons = [
    ...covering.flatMap((one) => tooWide(one, pool)).map(({ why }) => why),
    ...pairs.flatMap(([one, other]) => localPrefsDiffer(world, pool, [one, other])),
    ...echoMeetsIpv6({ ...partiesOf(world), pools: [pool], advertisements: covering }),
  ]
  return reasons.map((why) => forbidden(path, why))
}

export function checkAdvertised(world: ReadonlyWorld, ours: BgpAdvertisement): FieldError[] {
  const covered = byName(world.pools).filter((pool) => coversPool(ours, pool))
  const others = byName(world.all('BGPAdvertisement')).filter(({ name }) => name !== ours.name)
  const widths = covered.flatMap((pool) => tooWide(ours, pool))
  const prefs = covered.flatMap((pool) =>
    others
      .filter((other) => coversPool(other, pool))
      .flatMap((other) => localPrefsDiffer(world, pool, [ours, other])),
  )
  const echo = echoMeetsIpv6({ ...partiesOf(world), pools: covered, advertisements: [ours] })
  return [
    ...widths.map(({ field, why }) => forbidden(`spec.${field}`, why)),
    ...prefs.map((why) => forbidden('spec.localPref', why)),
    ...echo.map((why) => forbidden('spec', why)),
  ]
}

export const checkPeerEcho = (world: ReadonlyWorld, peer: Peer): FieldError[] =>
  echoMeetsIpv6({ ...partiesOf(world), peers: [peer] }).map((why) =>
    forbidden('spec.bfdProfile', why),
  )

export function checkProfileEcho(world: ReadonlyWorld, profile: BfdProfile): FieldError[] {
  const profiles = new Map([[profile.name, profile]])
  return echoMeetsIpv6({ ...partiesOf(world), profiles }).map((why) =>
    forbidden('spec.echoMode', why),
  )
}

/** With Service selectors it shows only per Service whether two advertisements meet (M6.1). */
function localPrefsDiffer(
  world: ReadonlyWorld,
  pool: Pool,
  [one, other]: readonly [BgpAdvertisement, BgpAdvertisement],
): readonly string[] {
  if (one.serviceSelectors.length > 0 || other.serviceSelectors.length > 0) return []
  if (one.localPref === other.localPref || areOtherRoutes(pool, one, other)) return []
  if (!sharePeer(one, other) || !shareNode(world, one, other)) return []
  return [
    `${objectOf(other)} announces ${objectOf(pool)} with localPref ${other.localPref}, ` +
      `${objectOf(one)} with ${one.localPref}, to common peers from common nodes; give both one ` +
      'localPref, or keep their peers, nodes or aggregation lengths apart',
  ]
}

/** Routes differ when the lengths of every family in the pool differ. */
function areOtherRoutes(pool: Pool, one: BgpAdvertisement, other: BgpAdvertisement): boolean {
  return pool.ranges.every(({ family }) =>
    family === 'IPv4'
      ? one.aggregationLength !== other.aggregationLength
      : one.aggregationLengthV6 !== other.aggregationLengthV6,
  )
}

/** No list means all peers. */
const sharePeer = ({ peers: ours }: BgpAdvertisement, { peers: theirs }: BgpAdvertisement) =>
  ours.length === 0 || theirs.length === 0 || ours.some((peer) => theirs.includes(peer))
