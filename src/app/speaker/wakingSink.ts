// Which Services does a change in the API concern? The Service itself and those it shares addresses
// with; or all of them, if the configuration or a node changed. An unchanged object wakes none.
import { excludeLabel } from '../../core/model/node.ts'
import { samePool } from '../../core/model/poolSense.ts'
import { isSame } from '../../core/model/sameView.ts'
import type { Key, ServiceView } from '../../core/model/service.ts'
import { type Kind, keyOf, type View } from '../../core/model/view.ts'
import type { World } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { Sink } from '../../edge/kube/feed/validatedSink.ts'

type WakingParts = {
  readonly world: World
  readonly sink: Sink
  readonly wake: (key: Key) => void
  readonly wakeAll: () => void
  /** No Service's status shows these addresses any more. */
  readonly released: (addresses: readonly Ip[]) => void
}

export function wakingSink(parts: WakingParts): Sink {
  const { world, sink } = parts
  const around = (kind: Kind, key: string, change: () => void): void => {
    const before: View | undefined = world.all(kind).get(key)
    change()
    const after: View | undefined = world.all(kind).get(key)
    react(parts, before, after)
    forget(world)
  }
  return {
    has: (kind, key) => sink.has(kind, key),
    keys: (kind) => sink.keys(kind),
    put: (view) => around(view.kind, keyOf(view), () => sink.put(view)),
    drop: (kind, key) => around(kind, key, () => sink.drop(kind, key)),
    lose: (kind, key) => around(kind, key, () => sink.lose(kind, key)),
    refuse: (unread) => around(unread.kind, unread.key, () => sink.refuse(unread)),
  }
}

/** For --ignore-exclude-lb: hides the label. */
export const withoutExcludeLabel = (sink: Sink): Sink => ({
  ...sink,
  put(view) {
    if (view.kind !== 'Node') sink.put(view)
    else {
      const { [excludeLabel]: _, ...labels } = view.labels
      sink.put({ ...view, labels })
    }
  },
})

function react(parts: WakingParts, before: View | undefined, after: View | undefined): void {
  const { world, wake, wakeAll } = parts
  const kind = (after ?? before)?.kind
  if (kind === 'Service') serviceChanged(parts, asService(before), asService(after))
  else if (saysTheSame(before, after)) return
  else if (kind !== 'EndpointSlice') wakeAll()
  else {
    for (const slice of [before, after]) {
      if (slice?.kind !== 'EndpointSlice') continue
      wake(slice.service)
      for (const key of linkedTo(world, world.services.get(slice.service)?.ingress ?? [])) wake(key)
    }
  }
}

function serviceChanged(
  { world, wake, released }: WakingParts,
  before: ServiceView | undefined,
  after: ServiceView | undefined,
): void {
  const shown = [...new Set([...(before?.ingress ?? []), ...(after?.ingress ?? [])])]
  const linked = linkedTo(world, shown)
  for (const key of linked) wake(key)
  const view = after ?? before
  if (view !== undefined) wake(view.key)
  const gone = shown.filter((ip) => world.holdersOf(ip).length === 0)
  if (gone.length > 0) released(gone)
}

/** Services that hold one of the addresses, directly or through a shared one (R8.1). */
function linkedTo(world: World, ips: readonly Ip[]): ReadonlySet<Key> {
  const [keys, addresses] = [new Set<Key>(), new Set(ips)]
  // The loop also visits the addresses that it adds.
  for (const ip of addresses) {
    for (const key of world.holdersOf(ip)) {
      keys.add(key)
      for (const other of world.services.get(key)?.ingress ?? []) addresses.add(other)
    }
  }
  return keys
}

/** A pool's status is ignored: every allocation writes it. */
function saysTheSame(before: View | undefined, after: View | undefined): boolean {
  if (before?.kind !== 'IPAddressPool' || after?.kind !== 'IPAddressPool') {
    return isSame(before, after)
  }
  return samePool(before, after) && isSame(before.labels, after.labels)
}

/** The speaker allocates nothing, so it must not accumulate work for an allocator. */
export function forget({ queue }: World): void {
  while (queue.pop() !== undefined);
}

const asService = (view: View | undefined): ServiceView | undefined =>
  view?.kind === 'Service' ? view : undefined
