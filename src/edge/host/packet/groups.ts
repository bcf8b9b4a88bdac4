// Which multicast groups does this host listen to for us? The kernel joins them, ipv6(7), so that
// the network card accepts their frames and snooping switches are informed (MLD).
import { libc, openSocket } from './libc.ts'

export type Groups = {
  /** Each join needs one leave. False if the interface has no IPv6 or is gone. */
  join(interfaceIndex: number, group: Uint8Array): boolean
  leave(interfaceIndex: number, group: Uint8Array): void
  close(): void
}

/** Sockets of the system that can hold memberships; a request is a struct ipv6_mreq. */
export type GroupSockets = {
  /** Undefined if there is no IPv6, or no descriptor left. */
  readonly open: () => number | undefined
  readonly add: (fd: number, request: Uint8Array) => 'added' | 'full' | 'refused'
  readonly drop: (fd: number, request: Uint8Array) => void
  readonly close: (fd: number) => void
}

type Socket = { readonly fd: number; held: number; isFull: boolean }
type Membership = { count: number; readonly socket: Socket }

/** The sockets are not bound and receive nothing; they only hold the memberships. */
export function openGroups(system: GroupSockets = hostSockets()): Groups {
  const sockets = new Set<Socket>()
  const memberships = new Map<string, Membership>()
  /** A socket holds a limited number (net.core.optmem_max); then the next one is opened. */
  const joined = (request: Uint8Array): Socket | undefined => {
    for (const socket of sockets) {
      if (socket.isFull) continue
      const answer = system.add(socket.fd, request)
      if (answer === 'added') return socket
      if (answer === 'refused') return undefined
      socket.isFull = true
    }
    const fd = system.open()
    if (fd === undefined) return undefined
    if (system.add(fd, request) === 'added') {
      const socket = { fd, held: 0, isFull: false }
      sockets.add(socket)
      return socket
    }
    system.close(fd)
    return undefined
  }
  return {
    join(interfaceIndex, group) {
      const key = keyOf(interfaceIndex, group)
      const membership = memberships.get(key)
      if (membership !== undefined) {
        membership.count++
        return true
      }
      const socket = joined(requestFor(interfaceIndex, group))
      if (socket === undefined) return false
      socket.held++
      memberships.set(key, { count: 1, socket })
      return true
    },
    leave(interfaceIndex, group) {
      const key = keyOf(interfaceIndex, group)
      const membership = memberships.get(key)
      if (membership === undefined || --membership.count > 0) return
      memberships.delete(key)
      const { socket } = membership
      system.drop(socket.fd, requestFor(interfaceIndex, group))
      socket.isFull = false
      if (--socket.held > 0) return
      sockets.delete(socket)
      system.close(socket.fd)
    },
    close() {
      for (const { fd } of sockets) system.close(fd)
      sockets.clear()
      memberships.clear()
    },
  }
}

const [inet6, datagram] = [10, 2] as const
const [ipv6Level, addMembership, dropMembership] = [41, 20, 21] as const

function hostSockets(): GroupSockets {
  const c = libc()
  const ask = (fd: number, name: number, request: Uint8Array): boolean =>
    c.setsockopt(fd, ipv6Level, name, request, request.length) === 0
  return {
    open() {
      try {
        return openSocket(inet6, datagram, 0)
      } catch {
        return undefined
      }
    },
    add(fd, request) {
      if (ask(fd, addMembership, request)) return 'added'
      return ['ENOMEM', 'ENOBUFS'].includes(c.errno()) ? 'full' : 'refused'
    },
    drop: (fd, request) => ask(fd, dropMembership, request),
    close: (fd) => c.close(fd),
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
