// Which nodes announce by layer 2, how many Services, and on which interfaces? As speakers report
// it.
import type { Key } from '../../model/service.ts'

export type Announcer = {
  readonly node: string
  readonly services: number
  /** In alphabetical order. */
  readonly interfaces: readonly string[]
}

type Announcement = {
  readonly node: string
  readonly service: Key
  /** Empty for all that the node can use. */
  readonly interfaces: readonly string[]
}

/** By node name; a node that can announce and announces nothing is listed too. */
export function announcersFrom(
  announced: readonly Announcement[],
  usable: ReadonlyMap<string, readonly string[]>,
): readonly Announcer[] {
  const nodes = new Set([...usable.keys(), ...announced.map(({ node }) => node)])
  return [...nodes].sort().map((node) => {
    const ours = announced.filter((one) => one.node === node)
    const isNamed = ours.length > 0 && ours.every(({ interfaces }) => interfaces.length > 0)
    const names = isNamed ? ours.flatMap(({ interfaces }) => interfaces) : usable.get(node)
    return { node, services: ours.length, interfaces: [...new Set(names)].sort() }
  })
}
