// Do two objects select a node in common? Without selectors an object selects every node.
import type { NodeView } from '../../model/node.ts'
import { matchesAny, type Selector } from '../../model/selector.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

type Selecting = { readonly nodeSelectors: readonly Selector[] }

export function shareNode(world: ReadonlyWorld, one: Selecting, other: Selecting): boolean {
  for (const node of world.all('Node').values()) {
    if (selects(one, node) && selects(other, node)) return true
  }
  return false
}

const selects = ({ nodeSelectors }: Selecting, { labels }: NodeView): boolean =>
  nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels)
