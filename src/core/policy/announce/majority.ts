// Does this side of a split have most of the speakers?
import type { Speakers } from './advertise.ts'

/** With fewer than three there is no majority to keep (R8.3). */
export function seesMajority({ live, expected, seen = live }: Speakers): boolean {
  const present = [...expected].filter((node) => seen.has(node)).length
  return expected.size < 3 || 2 * present > expected.size
}
