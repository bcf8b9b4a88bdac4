// Which number has a line of a prefix list or route map? One that follows from its own name, so
// that a line that comes or goes moves no other: FRR would take it out and put it in again.

type Span = { readonly first: number; readonly last: number }

/** `names`: each once. */
export function lineNumbers(
  names: readonly string[],
  { first, last }: Span,
): ReadonlyMap<string, number> {
  const size = last - first + 1
  const taken = new Set<number>()
  const numbers = new Map<string, number>()
  for (const name of names.toSorted()) {
    let offset = hashOf(name) % size
    while (taken.has(offset)) offset = (offset + 1) % size
    taken.add(offset)
    numbers.set(name, first + offset)
  }
  return numbers
}

/** FNV-1a */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
