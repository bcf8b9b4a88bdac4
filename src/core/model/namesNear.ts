// Which names are close to one that is not there?
const told = 3

/** A few letters apart, or one contained in the other; closest first, equal ones by name. */
export function namesNear(wanted: string, names: Iterable<string>): string[] {
  const most = wanted.length <= 4 ? 1 : Math.max(2, Math.ceil(wanted.length / 4))
  const near = [...names]
    .map((name) => ({ name, distance: distanceOf(wanted, name, most) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
  // Beside a name that is nearly the same, one that is only similar was not meant.
  const farthest = 2 * (near[0]?.distance ?? 0)
  return near
    .filter(({ distance }) => distance <= farthest)
    .slice(0, told)
    .map(({ name }) => name)
}

/** Each letter that one has more is an edit: whoever writes the name chooses how long it is. */
function distanceOf(one: string, other: string, most: number): number {
  if (arePartly(one, other)) return 1
  const more = Math.abs(one.length - other.length)
  return more > most ? more : editsBetween(one, other)
}

const longEnough = 4

/** A short name has to be a word of the other: `as` in `password` says nothing. */
function arePartly(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length >= longEnough && long.includes(short)) return true
  const asWord = `${short.slice(0, 1).toUpperCase()}${short.slice(1)}`
  const isFirst = long.startsWith(short) && !/^[a-z]/.test(long.slice(short.length))
  const isLast = long.endsWith(short) && !/[A-Za-z]$/.test(long.slice(0, -short.length))
  return isFirst || isLast || long.slice(1).endsWith(asWord)
}

/** Letters to put in, take out, change or swap with the next, one row of the table at a time. */
function editsBetween(one: string, other: string): number {
  let above: readonly number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [index, counterpart] of [...other].entries()) {
      const changed = (row[index] ?? 0) + (letter === counterpart ? 0 : 1)
      const swapped =
        one[at - 1] === counterpart && other[index - 1] === letter
          ? (above[index - 1] ?? 0) + 1
          : changed
      next.push(Math.min(changed, swapped, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    above = row
    row = next
  }
  return row.at(-1) ?? 0
}
