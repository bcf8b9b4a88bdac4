// Does the Site fit beside what others have: the subnets of the hosts, their addresses, and pools
// (R6.2, R6.3)?
import type { FieldError } from '../../model/admission.ts'
import { forbidden, invalid } from '../../model/fieldError.ts'
import type { External, Site, VipPair } from '../../model/site.ts'
import { siteMaker } from '../../model/sitePools.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { prefixText, rangeOf } from '../../net/range.ts'
import { clashesBetween, clashText } from './checkOverlap.ts'
import { claimsOf } from './checkPools.ts'
import { unusableIn } from './checkSite.ts'
import { hostSubnets } from './hostSubnets.ts'
import { claimAt } from './vipsHeldBack.ts'

/** Addresses of a Site, and where each is written. */
const placesIn = (
  external: External | undefined,
  path: string,
): readonly (readonly [string, Ip])[] =>
  pairsOf(external, path).flatMap(([at, { apiVIP, ingressVIP }]) => [
    ...(apiVIP === undefined ? [] : [[`${at}.apiVIP`, apiVIP] as const]),
    ...(ingressVIP === undefined ? [] : [[`${at}.ingressVIP`, ingressVIP] as const]),
  ])

const pairsOf = (external: External | undefined, path: string) =>
  external === undefined
    ? []
    : [
        [path, external] as const,
        ...(external.secondary === undefined
          ? []
          : [[`${path}.secondary`, external.secondary] as const]),
      ]

/** R6.2: no other pool has them. */
export function vipsAreApart(world: ReadonlyWorld, site: Site): readonly FieldError[] {
  const others = [...world.pools.values()].filter(({ madeFrom }) => madeFrom !== siteMaker)
  const mine = placesIn(site.external, 'spec.external').map(([path, ip]) => claimAt(path, ip))
  const clashes = clashesBetween(mine, others.flatMap(claimsOf))
  return clashes.map((clash) => forbidden(clash.mine.path, clashText(clash)))
}

/** The rest depends on what hosts report, which changes without anybody's edit. */
export function checkSiteFits(world: ReadonlyWorld, site: Site): readonly FieldError[] {
  const { external } = site
  if (external === undefined) return []
  const isLayer2 = external.announce !== 'BGP'
  return [
    ...usedElsewhere(world, external),
    ...(isLayer2
      ? pairsOf(external, 'spec.external').flatMap(([path, pair]) => fitsHosts(world, pair, path))
      : []),
  ]
}

function usedElsewhere(world: ReadonlyWorld, external: External): readonly FieldError[] {
  return placesIn(external, 'spec.external').flatMap(([path, ip]) => {
    const slot = world.ledger.slot(ip)
    if (slot === undefined || world.holdersOf(ip).length > 0) return []
    const [object] = [...slot.elsewhere].filter((one) => one !== siteMaker).sort()
    return object === undefined ? [] : [invalid(path, ip, `${object} has it already`)]
  })
}

function fitsHosts(world: ReadonlyWorld, pair: VipPair, path: string): readonly FieldError[] {
  const { apiVIP, ingressVIP } = pair
  if (apiVIP === undefined || ingressVIP === undefined) return []
  const subnets = hostSubnets(world)
  if (subnets.length === 0) return []
  const places = [
    [`${path}.apiVIP`, apiVIP],
    [`${path}.ingressVIP`, ingressVIP],
  ] as const
  const outside = places.filter(([, ip]) => !subnets.some((one) => contains(rangeOf(one), ip)))
  if (outside.length > 0) {
    const known = subnets.map(prefixText).join(', ')
    return outside.map(([field, ip]) =>
      invalid(field, ip, `is in no subnet of a host's interface; the hosts have ${known}`),
    )
  }
  const common = subnets.find((one) => places.every(([, ip]) => contains(rangeOf(one), ip)))
  if (common === undefined) {
    const why = `and apiVIP ${apiVIP} are in different subnets of the hosts`
    return [invalid(`${path}.ingressVIP`, ingressVIP, why)]
  }
  return places.flatMap(([field, ip]) => unusableIn(common.length, { field, ip }))
}
