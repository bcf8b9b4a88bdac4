// Which members may own addresses? Those that live, are ready and stay; of them, when some have
// contact to the API, only these (R8.2).
import type { Member } from './member.ts'

export function candidatesOf(members: readonly Member[]): ReadonlySet<string> {
  const able = members.filter(
    ({ state, facts }) =>
      (state === 'alive' || state === 'accused') && facts.isReady && !facts.isLeaving,
  )
  const inContact = able.filter(({ facts }) => facts.hasApi)
  return new Set((inContact.length > 0 ? inContact : able).map(({ node }) => node))
}
