// Which sessions is this node to have? One for each peer that selects it, with what the node itself
// adds: labels, addresses, its way out, the router of an interface (R8.17, R8.18).
import type { Peer } from '../../../core/model/announcing.ts'
import type { NodeView } from '../../../core/model/node.ts'
import { matchesAny } from '../../../core/model/selector.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { HostFacts } from '../../../core/policy/announce/nodeValue.ts'
import { peerOnNode } from '../../../core/policy/announce/peerOnNode.ts'
import { type PeerPlan, planOf } from './peerPlan.ts'

export type NodePeer = {
  /** As it is on this node. */
  readonly peer: Peer
  /** Undefined while there is no peer to dial. */
  readonly plan: PeerPlan | undefined
  /** Why not, in words. */
  readonly lacking: readonly string[]
}

type Asked = {
  readonly peers: readonly Peer[]
  readonly node: NodeView | undefined
  readonly facts: () => HostFacts
  /** The router that is heard on an interface. */
  readonly neighbourOn: (name: string) => Ip | undefined
}

/** In the order of the peers. */
export function nodePeers({ peers, node, facts, neighbourOn }: Asked): readonly NodePeer[] {
  if (node === undefined) return []
  const host = peers.some(({ annotations }) => annotations !== undefined) ? facts() : undefined
  const selected = peers.filter(
    ({ nodeSelectors }) => nodeSelectors.length === 0 || matchesAny(nodeSelectors, node.labels),
  )
  return selected.map((peer) => {
    const found = peerOnNode(peer, node, host)
    if ('lacking' in found) {
      const lacking = found.lacking.map(({ message }) => `${node.name} ${message}`)
      return { peer, plan: undefined, lacking }
    }
    const { peer: here, link } = found
    const heard = here.interface === '' ? undefined : neighbourOn(here.interface)
    return { peer: here, plan: planOf(here, { link, heard }), lacking: [] }
  })
}

/** Those on which to listen for routers. */
export const interfacesOf = (all: readonly NodePeer[]): ReadonlySet<string> =>
  new Set(all.map(({ peer }) => peer.interface).filter((name) => name !== ''))
