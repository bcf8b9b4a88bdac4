// The peer has opened a connection: is it the one to keep? (RFC 4271 §6.8, RFC 6286 §2.3,
// RFC 4724 §4.2)
import { toBigInt } from '../../net/ip.ts'
import { type Notice, notice } from '../../wire/bgp/notice.ts'
import type { Open } from '../../wire/bgp/open.ts'
import { agree } from './agreed.ts'
import type { Session } from './session.ts'

const rejected = notice(6, 7)

/**
 * Undefined: it is; otherwise what to turn it away with. `isOurs`: whether we have opened the
 * connection that the session is on.
 */
export function judgeIncoming(session: Session, open: Open, isOurs: boolean): Notice | undefined {
  const { state, options, routerId = open.routerId } = session
  // Nothing ends for it: what is wrong with its OPEN, the session finds and shows.
  if (state === 'Active' || state === 'Connect') return undefined
  // It is over: whatever the OPEN says, the router has done nothing wrong.
  if (state === 'Idle') return rejected
  // Another router at the peer's address does not take the place of one with which a session works.
  const agreed = agree(options, routerId, open)
  if (!agreed.ok) return agreed.notice
  return isToStay(session, open, isOurs) ? undefined : rejected
}

function isToStay(session: Session, open: Open, isOurs: boolean): boolean {
  switch (session.state) {
    case 'Established':
      // A peer that would keep our routes and connects again has restarted.
      return session.agreed?.keepsRoutes === true
    default:
      // Of two that the peer has opened it has given up the first.
      return !isOurs || isPeerFirst(session, open)
  }
}

/** The connection of the side with the higher router ID stays. */
function isPeerFirst({ routerId, options }: Session, open: Open): boolean {
  if (routerId === undefined || routerId === open.routerId) return open.asn > options.localAsn
  return toBigInt(open.routerId) > toBigInt(routerId)
}
