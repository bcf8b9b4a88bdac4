// Which uses overlap? One walk from the lowest address up, over the roles that must keep apart.
import type { RangeUse, Role } from './wiresRangeUse.ts'

export type Meeting = readonly [RangeUse, RangeUse]

/** Takes uses in ascending order; each pair comes once, the one that starts first in front. */
export function* meetings(
  uses: readonly RangeUse[],
  partners: (role: Role) => Iterable<Role>,
): Generator<Meeting> {
  const open = new Map<Role, RangeUse[]>()
  for (const use of uses) {
    for (const role of partners(use.role)) {
      const reaching = (open.get(role) ?? []).filter((other) => reaches(other, use))
      open.set(role, reaching)
      for (const other of reaching) yield [other, use]
    }
    const ofRole = open.get(use.role)
    if (ofRole === undefined) open.set(use.role, [use])
    else ofRole.push(use)
  }
}

/** Whoever started before and does not reach this far reaches nobody who comes later. */
export const reaches = ({ range: earlier }: RangeUse, { range }: RangeUse): boolean =>
  earlier.family === range.family && earlier.last >= range.first
