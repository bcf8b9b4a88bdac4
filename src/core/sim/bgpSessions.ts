// Which BGP sessions do nodes open, and what becomes of them in a plan? Nobody answers here.
import type { Peer } from '../model/announcing.ts'
import type { NodeView } from '../model/node.ts'
import { matchesAny } from '../model/selector.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Speakers } from '../policy/announce/advertise.ts'
import { peerOnNode } from '../policy/announce/peerOnNode.ts'
import { actingIn } from '../policy/announce/references.ts'
import { sessionFieldsOf } from '../policy/announce/sessionFields.ts'

/** By peer and node: what makes the session, as text. */
export type Sessions = ReadonlyMap<string, ReadonlyMap<string, string>>

export type SessionChange = {
  readonly peer: string
  readonly action: 'open' | 'end' | 'reopen'
  readonly nodes: readonly string[]
}

export function sessionsIn(world: ReadonlyWorld, { expected }: Speakers): Sessions {
  const nodes = [...world.all('Node').values()].filter(({ name }) => expected.has(name))
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const peer of actingIn(world).peers) {
    const same = peer.annotations === undefined ? JSON.stringify(sessionFieldsOf(peer)) : undefined
    const on = selectedBy(peer, nodes).flatMap((node) => {
      if (same !== undefined) return [[node.name, same] as const]
      const here = peerOnNode(peer, node, undefined)
      return 'lacking' in here
        ? []
        : [[node.name, JSON.stringify(sessionFieldsOf(here.peer))] as const]
    })
    found.set(peer.name, new Map(on))
  }
  return found
}

const selectedBy = (peer: Peer, nodes: readonly NodeView[]): readonly NodeView[] =>
  nodes.filter(
    ({ labels }) => peer.nodeSelectors.length === 0 || matchesAny(peer.nodeSelectors, labels),
  )

/** On a node that is selected and whose speaker is seen: the peer there, or what is lacking. */
export type SessionOnNode = { readonly node: string } & ReturnType<typeof peerOnNode>

export function sessionsWith(
  world: ReadonlyWorld,
  { live }: Speakers,
  name: string,
): readonly SessionOnNode[] {
  const peer = actingIn(world).peers.find((one) => one.name === name)
  if (peer === undefined) return []
  const nodes = [...world.all('Node').values()].filter((node) => live.has(node.name))
  return selectedBy(peer, nodes).map((node) => ({
    node: node.name,
    ...peerOnNode(peer, node, undefined),
  }))
}

const nowhere: ReadonlyMap<string, string> = new Map()

/** Only what differs, by peer. */
export function sessionChanges(before: Sessions, after: Sessions): readonly SessionChange[] {
  const peers = [...new Set([...before.keys(), ...after.keys()])].sort()
  return peers.flatMap((peer) => {
    const [was, is] = [before.get(peer) ?? nowhere, after.get(peer) ?? nowhere]
    const opened = [...is.keys()].filter((node) => !was.has(node))
    const ended = [...was.keys()].filter((node) => !is.has(node))
    const anew = [...is].filter(([node, text]) => was.has(node) && was.get(node) !== text)
    const changes: readonly SessionChange[] = [
      { peer, action: 'open', nodes: opened.sort() },
      { peer, action: 'reopen', nodes: anew.map(([node]) => node).sort() },
      { peer, action: 'end', nodes: ended.sort() },
    ]
    return changes.filter(({ nodes }) => nodes.length > 0)
  })
}
