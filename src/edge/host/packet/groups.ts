// Which multicast groups does this host listen to for us? Joined by the kernel, ipv6(7), so that
// the network card lets their frames in and switches that snoop are told (MLD).
import { libc, openSocket } from './libc.ts'

export type Groups = {
  /** As often as it is left. False when the interface cannot: it has no IPv6, or is gone. */
  join(interfaceIndex: number, group: Uint8Array): boolean
  leave(interfaceIndex: number, group: Uint8Array): void
  close(): void
}

const [inet6, datagram] = [10, 2] as const
const [ipv6Level, addMembership, dropMembership] = [41, 20, 21] as const

type Membership = { count: number; readonly fd: number }

/** Sockets that are bound to nothing receive nothing; they only hold the memberships. */
export function openGroups(): Groups {
  const c = libc()
  const sockets: number[] = []
  const memberships = new Map<string, Membership>()
  const ask = (fd: number, name: number, request: Uint8Array): boolean =>
    c.setsockopt(fd, ipv6Level, name, request, request.length) === 0
  /** A socket has room for a few hundred (net.core.optmem_max): then the next one is opened. */
  const joined = (request: Uint8Array): number | undefined => {
    const last = sockets.at(-1)
    if (last !== undefined) {
      if (ask(last, addMembership, request)) return last
      if (!['ENOMEM', 'ENOBUFS'].includes(c.errno())) return undefined
    }
    const fd = opened()
    if (fd === undefined) return undefined
    sockets.push(fd)
    return ask(fd, addMembership, request) ? fd : undefined
  }
  return {
    join(interfaceIndex, group) {
      const key = keyOf(interfaceIndex, group)
      const membership = memberships.get(key)
      if (membership !== undefined) {
        membership.count++
        return true
      }
      const fd = joined(requestFor(interfaceIndex, group))
      if (fd !== undefined) memberships.set(key, { count: 1, fd })
      return fd !== undefined
    },
    leave(interfaceIndex, group) {
      const key = keyOf(interfaceIndex, group)
      const membership = memberships.get(key)
      if (membership === undefined || --membership.count > 0) return
      memberships.delete(key)
      ask(membership.fd, dropMembership, requestFor(interfaceIndex, group))
    },
    close() {
      for (const fd of sockets.splice(0)) c.close(fd)
      memberships.clear()
    },
  }
}

function opened(): number | undefined {
  try {
    return openSocket(inet6, datagram, 0)
  } catch {
    // No IPv6 here, or no descriptor left.
    return undefined
  }
}

const keyOf = (interfaceIndex: number, group: Uint8Array): string =>
  `${interfaceIndex} ${Buffer.from(group).toString('hex')}`

/** struct ipv6_mreq { 16 octets group; i32 interface } */
function requestFor(interfaceIndex: number, group: Uint8Array): Uint8Array {
  const request = Buffer.alloc(20)
  request.set(group)
  request.writeInt32LE(interfaceIndex, 16)
  return request
}
