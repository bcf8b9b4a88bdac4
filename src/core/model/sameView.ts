// Does an object say the same as before? What we write ourselves into a status comes back as a
// change that changes nothing.

/** Plain values only: what views are made of. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return false
  const [entries, others] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isSame(value, others.get(key)))
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
