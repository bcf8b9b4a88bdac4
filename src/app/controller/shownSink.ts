// Does a Service still hold what we believe? While nothing of ours is under way for it, only what
// its status shows or an Address says: another leader may have let go in its place.
import type { AddressView } from '../../core/model/address.ts'
import type { Key } from '../../core/model/service.ts'
import type { World } from '../../core/model/world.ts'
import { nameOfAddress } from '../../core/net/addressName.ts'
import type { Sink } from '../../edge/kube/feed/judged.ts'

export type ShownParts = {
  readonly world: World
  readonly sink: Sink
  readonly isUnderway: (service: Key) => boolean
}

export function shownSink({ world, sink, isUnderway }: ShownParts): Sink {
  const settle = (keys: readonly Key[]) => {
    for (const key of keys) if (!isUnderway(key)) forgetUnlessShown(world, key)
  }
  const holdersOf = (record: AddressView | undefined) =>
    record === undefined ? [] : world.holdersOf(record.address)
  return {
    has: (kind, key) => sink.has(kind, key),
    keys: (kind) => sink.keys(kind),
    refuse: (unread) => sink.refuse(unread),
    isMade: (kind, key) => sink.isMade?.(kind, key) === true,
    put(view) {
      sink.put(view)
      if (view.kind === 'Service') settle([view.key])
      if (view.kind === 'Address') settle(holdersOf(view))
    },
    drop(kind, key) {
      const holders = kind === 'Address' ? holdersOf(world.all('Address').get(key)) : []
      sink.drop(kind, key)
      settle(holders)
    },
  }
}

function forgetUnlessShown(world: World, key: Key): void {
  const view = world.services.get(key)
  const { ips = [] } = world.holdingOf(key) ?? {}
  if (view === undefined || ips.length === 0) return
  const isShown = ips.join() === view.ingress.join()
  const isClaimed = ips.every((ip) => {
    const record = world.all('Address').get(nameOfAddress(ip))
    return record?.holders.some(({ uid }) => uid === view.uid) === true
  })
  if (isShown || (view.ingress.length === 0 && isClaimed)) return
  world.apply({ type: 'intent', intent: { service: key, ips: [], wait: undefined } })
  world.apply({ type: 'upsert', view })
}
