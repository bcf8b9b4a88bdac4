// The peer has opened a connection: is it the one to keep? (RFC 4271 §6.8, RFC 6286 §2.3,
// RFC 4724 §4.2)
import { toBigInt } from '../../net/ip.ts'
import type { Open } from '../../wire/bgp/open.ts'
import type { Session } from './session.ts'

/** `isOurs`: whether we have opened the connection that the session is on. */
export function judgeIncoming(session: Session, open: Open, isOurs: boolean): 'keep' | 'refuse' {
  switch (session.state) {
    case 'Idle':
      return 'refuse'
    case 'Active':
    case 'Connect':
      return 'keep'
    case 'Established':
      // Who would keep our routes and comes again has restarted.
      return session.agreed?.keepsRoutes === true ? 'keep' : 'refuse'
    default:
      // Of two that the peer has opened it has given up the first.
      return !isOurs || isPeerFirst(session, open) ? 'keep' : 'refuse'
  }
}

/** The connection of the side with the higher router ID stays. */
function isPeerFirst({ routerId, options }: Session, open: Open): boolean {
  if (routerId === undefined || routerId === open.routerId) return open.asn > options.localAsn
  return toBigInt(open.routerId) > toBigInt(routerId)
}
