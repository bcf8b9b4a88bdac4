// Who outside of Berth has an address? The first object by name that holds it (section 5).
import { elsewhereKinds, elsewhereOf } from '../../model/elsewhere.ts'
import { objectOf, type View } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ip } from '../../net/ip.ts'

export function addressesElsewhere(world: Pick<ReadonlyWorld, 'all'>): Map<Ip, string> {
  const holders = new Map<Ip, string>()
  for (const kind of elsewhereKinds) {
    for (const view of world.all(kind).values()) {
      const object = holderName(view)
      for (const ip of elsewhereOf(view)) {
        const known = holders.get(ip)
        if (known === undefined || object < known) holders.set(ip, object)
      }
    }
  }
  return holders
}

/** What a speaker reports of its node is the node's, under the name that people know. */
export const holderName = (view: View): string =>
  view.kind === 'NodeInterfaces' ? `Node/${view.node}` : objectOf(view)
