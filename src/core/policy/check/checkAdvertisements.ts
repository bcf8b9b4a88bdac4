// May this advertisement be? What it lists, and for BGP what it announces (M8.1 rules 19 to 25).
import type { FieldError } from '../../model/admission.ts'
import type { BgpAdvertisement, Community, L2Advertisement } from '../../model/announcing.ts'
import { invalid, unreadable } from '../../model/fieldError.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { aliasesOf, parseCommunity } from '../announce/communities.ts'
import { checkAdvertised } from './checkAnnounced.ts'
import { checkOnce, checkSelector, checkSelectors } from './checkLists.ts'

export function checkL2Advertisement(advertisement: L2Advertisement): readonly FieldError[] {
  return [
    ...checkSelection(advertisement),
    ...advertisement.preferred.flatMap(({ preference }, index) =>
      checkSelector(`spec.preferredNodeSelectors[${index}].preference`, preference),
    ),
  ]
}

export function checkBgpAdvertisement(advertisement: BgpAdvertisement): readonly FieldError[] {
  return [
    ...checkSelection(advertisement),
    ...checkOnce('spec.communities', advertisement.communities),
    ...checkOnce('spec.peers', advertisement.peers),
    ...checkLengths(advertisement),
    ...checkLocalPref(advertisement),
  ]
}

export function checkBgpAdvertisementFits(
  world: ReadonlyWorld,
  advertisement: BgpAdvertisement,
): readonly FieldError[] {
  const unknown = checkCommunities(world, advertisement)
  return unknown.length > 0 ? unknown : checkAdvertised(world, advertisement)
}

function checkSelection(advertisement: L2Advertisement | BgpAdvertisement): readonly FieldError[] {
  return [
    ...checkOnce('spec.ipAddressPools', advertisement.pools),
    ...checkSelectors('spec.ipAddressPoolSelectors', advertisement.poolSelectors),
    ...checkSelectors('spec.nodeSelectors', advertisement.nodeSelectors),
    ...checkSelectors('spec.serviceSelectors', advertisement.serviceSelectors),
  ]
}

function checkLengths(advertisement: BgpAdvertisement): readonly FieldError[] {
  const fields = [
    ['aggregationLength', 32],
    ['aggregationLengthV6', 128],
  ] as const
  return fields.flatMap(([field, most]) => {
    const [path, length] = [`spec.${field}`, advertisement[field]]
    if (length < 0 || length > most) return [invalid(path, length, `must be at most ${most}`)]
    if (length === most || advertisement.serviceSelectors.length === 0) return []
    const why = `serviceSelectors need ${most}: the aggregate would announce other Services as well`
    return [invalid(path, length, why)]
  })
}

const mostLocalPref = 2_147_483_647

/** The schema, which is MetalLB's, says int32 and no minimum; the attribute has no sign (M1.3). */
function checkLocalPref({ localPref }: BgpAdvertisement): readonly FieldError[] {
  if (localPref >= 0 && localPref <= mostLocalPref) return []
  return [invalid('spec.localPref', localPref, `must be 0 to ${mostLocalPref}`)]
}

/** What has the form of no value may become an alias later: it is reported and not refused. */
function checkCommunities(
  world: ReadonlyWorld,
  { communities }: BgpAdvertisement,
): readonly FieldError[] {
  const aliases = aliasesOf(world.all('Community').values())
  return communities.flatMap((text, index) => {
    const sections = text.split(':').length
    if (aliases.has(text) || (sections !== 2 && sections !== 4)) return []
    const community = parseCommunity(text)
    return community.ok ? [] : [unreadable(`spec.communities[${index}]`, community.why)]
  })
}

/** M8.1 rule 14: every value can be read, and an alias is defined once in the cluster. */
export function checkCommunity(world: ReadonlyWorld, ours: Community): readonly FieldError[] {
  const others = [...world.all('Community').values()].filter(({ name }) => name !== ours.name)
  const bad = ours.aliases.flatMap(({ value }, index) => {
    const community = parseCommunity(value)
    return community.ok ? [] : [unreadable(`spec.communities[${index}].value`, community.why)]
  })
  const first = new Map(ours.aliases.map(({ name }, index) => [name, index] as const).reverse())
  const definers = new Map(
    others.flatMap((other) => other.aliases.map(({ name }) => [name, other] as const)).reverse(),
  )
  const twice = ours.aliases.flatMap(({ name }, index) => {
    const path = `spec.communities[${index}].name`
    const isRepeated = first.get(name) !== index
    if (isRepeated) return [invalid(path, name, 'the alias is defined twice in this object')]
    const other = definers.get(name)
    return other ? [invalid(path, name, `${objectOf(other)} defines the alias as well`)] : []
  })
  return [...bad, ...twice]
}
