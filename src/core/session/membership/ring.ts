// Who watches whom? Members stand in a ring by the hash of their names; the next four watch each.

/** Enough that two at once may be gone, few enough that beats stay few however many speakers. */
export const watchersOfOne = 4

type Placed = { readonly node: string; readonly place: number }

/** All that hold the same list of members come to the same ring. */
export function ringOf(members: Placed[]): readonly string[] {
  members.sort((one, other) => one.place - other.place || (one.node < other.node ? -1 : 1))
  return members.map(({ node }) => node)
}

export const watchersOf = (ring: readonly string[], node: string): readonly string[] =>
  beside(ring, node, 1)

export const watchedBy = (ring: readonly string[], node: string): readonly string[] =>
  beside(ring, node, -1)

function beside(ring: readonly string[], node: string, step: 1 | -1): readonly string[] {
  const from = ring.indexOf(node)
  if (from < 0) return []
  const count = Math.min(watchersOfOne, ring.length - 1)
  return Array.from({ length: count }, (_, at) => {
    const place = (from + step * (at + 1) + ring.length) % ring.length
    return ring[place] ?? node
  })
}

/** FNV-1a, then mixed: names that differ in their last digit alone are spread over the ring too. */
export function placeOf(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
