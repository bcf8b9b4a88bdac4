// Which session does a BGPPeer ask this node for, and when is it another one? (M6.4, M6.8)
import type { Peer } from '../../../core/model/announcing.ts'
import { isSame } from '../../../core/model/sameView.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { isOfLink } from '../../../core/net/linkLocal.ts'
import { type SessionEnds, sessionFieldsOf } from '../../../core/policy/announce/sessionFields.ts'
import type { SessionOptions } from '../../../core/session/bgp/agreed.ts'

export type PeerPlan = SessionEnds & {
  /** Of the BGPPeer. */
  readonly name: string
  readonly options: SessionOptions
  readonly address: Ip
  /** The interface that the address is of, where it is one of a link; '' otherwise. */
  readonly link: string
  readonly password: 'none' | 'inline' | 'secret'
  /** Its name, where the password is in one. */
  readonly secret: string
  /** Of the BGPPeer, where the password is in it: another one may come with another password. */
  readonly passwordVersion?: string
}

type PeerLocation = {
  /** The interface that the peer is on, where that is known. */
  readonly link: string
  /** The router that is heard there. */
  readonly heard: Ip | undefined
}

const nowhere: PeerLocation = { link: '', heard: undefined }

/** Undefined where there is no address to dial. */
export function planOf(peer: Peer, { link, heard } = nowhere): PeerPlan | undefined {
  const fields = sessionFieldsOf(peer)
  const { localAsn, peerAsn, families, holdSeconds, restartSeconds, staleSeconds } = fields
  const { port, source, routerId, ttl, leastTtl, isOneHop, vrf, isPassive } = fields
  const address = fields.interface === '' ? fields.address : heard
  if (address === undefined) return undefined
  return {
    options: {
      ...{ localAsn, peerAsn, families, holdSeconds, restartSeconds },
      keepaliveSeconds: peer.keepaliveMs === undefined ? undefined : peer.keepaliveMs / 1000,
      retrySeconds: peer.connectMs === undefined ? undefined : peer.connectMs / 1000,
      ...(staleSeconds !== undefined && { staleSeconds }),
      ...(peer.interface !== '' && { hopsBySix: true }),
      ...(isPassive && { isPassive }),
    },
    ...{ address, port, source, routerId, ttl, isOneHop, vrf },
    ...(leastTtl !== undefined && { leastTtl }),
    link: isOfLink(address) ? link : '',
    ...passwordOf(peer),
  }
}

/** Where its password is. */
export const passwordOf = (
  peer: Peer,
): Pick<PeerPlan, 'name' | 'password' | 'secret' | 'passwordVersion'> => ({
  name: peer.name,
  password: peer.hasPassword ? 'inline' : peer.passwordSecret === '' ? 'none' : 'secret',
  secret: peer.passwordSecret,
  ...(peer.passwordVersion !== undefined && { passwordVersion: peer.passwordVersion }),
})

/** New timers and a new password apply to the running session (R8.9). */
export const needsNewSession = (before: PeerPlan, after: PeerPlan): boolean =>
  !isSame(fixedIn(before), fixedIn(after))

function fixedIn({ options, password, secret: _, passwordVersion: __, ...plan }: PeerPlan) {
  const { keepaliveSeconds: ___, retrySeconds: ____, ...fixed } = options
  return { ...plan, ...fixed, hasPassword: password !== 'none' }
}
