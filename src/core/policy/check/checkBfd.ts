// May this BFD profile be, and may it go? (M8.1 rules 2, 27 and 35)
import type { FieldError } from '../../model/admission.ts'
import type { BfdProfile } from '../../model/announcing.ts'
import { forbidden, invalid } from '../../model/fieldError.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { checkProfileEcho } from './checkAnnounced.ts'

const bounds = [
  ['receiveInterval', 10, 60_000],
  ['transmitInterval', 10, 60_000],
  ['echoInterval', 10, 60_000],
  ['detectMultiplier', 2, 255],
  ['minimumTtl', 1, 254],
] as const

export function checkBfdProfile(profile: BfdProfile): readonly FieldError[] {
  return bounds.flatMap(([field, least, most]) => {
    const value = profile[field]
    if (value === undefined || (value >= least && value <= most)) return []
    return [invalid(`spec.${field}`, value, `must be ${least} to ${most}`)]
  })
}

export const checkBfdProfileFits = (
  world: ReadonlyWorld,
  profile: BfdProfile,
): readonly FieldError[] => checkProfileEcho(world, profile)

export function checkBfdProfileDelete(
  world: ReadonlyWorld,
  { name }: BfdProfile,
): readonly FieldError[] {
  const users = [...world.all('BGPPeer').values()]
    .filter(({ bfdProfile }) => bfdProfile === name)
    .map(objectOf)
    .sort()
  if (users.length === 0) return []
  return [forbidden('', `in use by ${users.join(', ')}; take it out of them first`)]
}
