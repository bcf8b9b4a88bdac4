// Which passwords stand in FRR's configuration? A peer whose password cannot be read is left out:
// a session without one would be an open door.
import type { Peer } from '../../../core/model/announcing.ts'
import type { FrrPeer, Misfit } from '../../../core/policy/frr/frrRouters.ts'
import type { PeerKeys } from '../bgp/peerKeys.ts'
import { passwordOf } from '../bgp/peerPlan.ts'

type WithPasswords = {
  readonly peers: readonly FrrPeer[]
  readonly passwords: ReadonlyMap<string, string>
  readonly misfits: readonly Misfit[]
}

/** `only`: the peers whose password the text contains. */
export async function withPasswords(
  peers: readonly FrrPeer[],
  keys: Pick<PeerKeys, 'keyOf' | 'keep'>,
  only: (peer: Peer) => boolean,
): Promise<WithPasswords> {
  const passwords = new Map<string, string>()
  const misfits: Misfit[] = []
  const kept: FrrPeer[] = []
  keys.keep(peers.map(({ peer }) => passwordOf(peer)))
  for (const one of peers) {
    const { peer } = one
    const why = only(peer) ? await read(peer, keys, passwords) : ''
    if (why === '') kept.push(one)
    else misfits.push({ peer, message: `no password: ${why}` })
  }
  return { peers: kept, passwords, misfits }
}

async function read(
  peer: Peer,
  keys: Pick<PeerKeys, 'keyOf'>,
  into: Map<string, string>,
): Promise<string> {
  try {
    const key = await keys.keyOf(passwordOf(peer), 'recently')
    if (key === undefined) return ''
    const text = Buffer.from(key).toString('utf8')
    // It is one word of a line.
    if (!/^[!-~]+$/.test(text)) return 'FRR takes printable ASCII without spaces only'
    into.set(peer.name, text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
