// Which stakes overlap? One walk from the lowest address up, over the roles that must keep apart.
import type { Role, Stake } from './wiresStake.ts'

export type Meeting = readonly [Stake, Stake]

/** Takes stakes in ascending order; each pair comes once, the one that starts first in front. */
export function* meetings(
  stakes: readonly Stake[],
  partners: (role: Role) => Iterable<Role>,
): Generator<Meeting> {
  const open = new Map<Role, Stake[]>()
  for (const stake of stakes) {
    for (const role of partners(stake.role)) {
      const reaching = (open.get(role) ?? []).filter((other) => reaches(other, stake))
      open.set(role, reaching)
      for (const other of reaching) yield [other, stake]
    }
    const ofRole = open.get(stake.role)
    if (ofRole === undefined) open.set(stake.role, [stake])
    else ofRole.push(stake)
  }
}

/** Whoever started before and does not reach this far reaches nobody who comes later. */
export const reaches = ({ range: earlier }: Stake, { range }: Stake): boolean =>
  earlier.family === range.family && earlier.last >= range.first
