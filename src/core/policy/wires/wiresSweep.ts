// Which uses overlap? One walk from the lowest address up, over the roles that must keep apart.
import type { RangeUse, Role } from './wiresRangeUse.ts'

export type Overlap = readonly [RangeUse, RangeUse]

type Sweep = {
  readonly partners: (role: Role) => Iterable<Role>
  /** Asked before so many are compared; it ends where it says no. */
  readonly mayCompare: (count: number) => boolean
}

/** Takes uses in ascending order; each pair comes once, the one that starts first in front. */
export function* overlaps(
  uses: readonly RangeUse[],
  { partners, mayCompare }: Sweep,
): Generator<Overlap> {
  const open = new Map<Role, RangeUse[]>()
  for (const use of uses) {
    for (const role of partners(use.role)) {
      const before = open.get(role) ?? []
      if (!mayCompare(before.length)) return
      const reaching = before.filter((other) => reaches(other, use))
      open.set(role, reaching)
      for (const other of reaching) yield [other, use]
    }
    const ofRole = open.get(use.role)
    if (ofRole === undefined) open.set(use.role, [use])
    else ofRole.push(use)
  }
}

/** Whoever started before and does not reach this far reaches nobody who comes later. */
const reaches = ({ range: earlier }: RangeUse, { range }: RangeUse): boolean =>
  earlier.family === range.family && earlier.last >= range.first
