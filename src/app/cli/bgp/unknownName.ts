// Is there such a node, or such a peer? One that is gone, and still reported, counts too.

import { meant } from '../../../core/model/meant.ts'
import type { ReadonlyWorld } from '../../../core/model/world.ts'
import { type BgpFilter, bgpSessions } from '../../../core/policy/status/bgpPeers.ts'

/** Undefined where all that is asked for is there. */
export function unknownName(world: ReadonlyWorld, { node, peer }: BgpFilter): string | undefined {
  const sessions = bgpSessions(world)
  const nodes = [...world.all('Node').keys(), ...sessions.map((one) => one.node)]
  const peers = [
    ...[...world.all('BGPPeer').values()].map(({ name }) => name),
    ...sessions.map((one) => one.peer),
  ]
  if (node !== '' && !nodes.includes(node)) {
    return `node ${node} does not exist${meant(node, new Set(nodes))}`
  }
  if (peer !== '' && !peers.includes(peer)) {
    return `BGPPeer ${peer} does not exist${meant(peer, new Set(peers))}`
  }
  return undefined
}
