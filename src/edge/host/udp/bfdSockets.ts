// How do packets of one BFD session go out and come in? RFC 5881 and 5883: to the well-known port
// from one of our own with TTL 255, and in only from that peer with a TTL that is high enough. The
// kernel checks both before this process sees a packet.
import { familyOf, type Ip } from '../../../core/net/ip.ts'
import { attachFilter } from '../packet/attachFilter.ts'
import { assemble, inIpHeader } from '../packet/bpf.ts'
import { libc, openSocket } from '../packet/libc.ts'
import { packetFault } from '../packet/packetFault.ts'
import { read } from '../packet/reading.ts'
import { addressFamilies, socketAddress } from '../tcp/socketAddress.ts'

export type BfdTarget = {
  readonly peer: Ip
  /** Undefined: the kernel chooses. */
  readonly source: Ip | undefined
  /** A VRF; '' for none. */
  readonly device: string
  readonly hops: 'single' | 'multiple'
  /** The least TTL that is let in. */
  readonly leastTtl: number
}

export type BfdSockets = {
  /** Why these sockets are of no more use, or ''. That a peer does not listen is no such reason. */
  send(bytes: Uint8Array): string
  close(): void
}

type Handlers = {
  received(bytes: Uint8Array): void
  /** They are closed. */
  ended(why: string): void
}

const [datagram, udp] = [2, 17] as const
const [socketLevel, reuseAddress, bindToDevice] = [1, 2, 25] as const
const options = {
  IPv4: { level: 0, ttl: 2, trafficClass: 1, ttlAt: 8 },
  IPv6: { level: 41, ttl: 16, trafficClass: 67, ttlAt: 7 },
} as const
/** CS6, what routers give to routing protocols. */
const internetControl = 0xc0
const ports = { single: 3784, multiple: 4784 } as const
/** RFC 5881 §4. */
const [firstSource, sourceCount] = [49_152, 16_384] as const
const mostTries = 64
/** A control packet has 24 bytes, or a few more where it is authenticated. */
const datagramBytes = 128
/** The peer does not listen, or there was no room in a queue: the next one may arrive. */
const passing = ['ECONNREFUSED', 'EAGAIN', 'ENOBUFS', 'EINTR']

/** Throws where the kernel refuses, as when another program has the port. */
export function openBfdSockets(
  target: BfdTarget,
  random: () => number,
  { received, ended }: Handlers,
): BfdSockets {
  const c = libc()
  const sending = opened(target, (fd) => connectSending(fd, target, random))
  try {
    const fd = opened(target, (one) => connectReceiving(one, target))
    const reading = read(fd, {
      datagramBytes,
      atOnce: 16,
      onDatagram: received,
      onEnd: (code) => {
        c.close(sending)
        ended(packetFault('recv', code).message)
      },
    })
    return {
      send(bytes) {
        if (!reading.isOpen() || c.send(sending, bytes, bytes.length, 0) >= 0) return ''
        const code = c.errno()
        return passing.includes(code) ? '' : packetFault('send', code).message
      },
      close() {
        if (!reading.isOpen()) return
        reading.close()
        c.close(sending)
      },
    }
  } catch (error) {
    c.close(sending)
    throw error
  }
}

function opened({ peer, device }: BfdTarget, prepare: (fd: number) => void): number {
  const fd = openSocket(addressFamilies[familyOf(peer)], datagram, udp)
  try {
    if (device !== '') set(fd, [socketLevel, bindToDevice], Buffer.from(device))
    prepare(fd)
    return fd
  } catch (error) {
    libc().close(fd)
    throw error
  }
}

function connectSending(fd: number, target: BfdTarget, random: () => number): void {
  const { level, ttl, trafficClass } = options[familyOf(target.peer)]
  set(fd, [level, ttl], word(255))
  set(fd, [level, trafficClass], word(internetControl))
  const code = boundCode(fd, target, random)
  if (code !== '') throw packetFault('bind', code)
  connect(fd, socketAddress(target.peer, ports[target.hops]))
}

/** '' once it is bound. */
function boundCode(fd: number, target: BfdTarget, random: () => number): string {
  const c = libc()
  for (let tries = 0; tries < mostTries; tries++) {
    const port = firstSource + Math.floor(random() * sourceCount)
    const from = localAddress(target, port)
    if (c.bind(fd, from, from.length) === 0) return ''
    if (c.errno() !== 'EADDRINUSE') return c.errno()
  }
  return 'EADDRINUSE'
}

/**
 * Connected to the peer and to no port of it: the kernel then gives this socket the peer's packets,
 * whatever port they come from, and other sockets those of other peers.
 */
function connectReceiving(fd: number, target: BfdTarget): void {
  const { ttlAt } = options[familyOf(target.peer)]
  attachFilter(fd, assemble([{ load: inIpHeader(ttlAt), isAtLeast: target.leastTtl }]))
  set(fd, [socketLevel, reuseAddress], word(1))
  const port = ports[target.hops]
  const here = localAddress(target, port)
  if (libc().bind(fd, here, here.length) < 0) throw packetFault(`port ${port}`, libc().errno())
  connect(fd, socketAddress(target.peer, 0))
}

const any = { IPv4: '0.0.0.0' as Ip, IPv6: '::' as Ip } as const

const localAddress = ({ peer, source }: BfdTarget, port: number): Uint8Array =>
  socketAddress(source ?? any[familyOf(peer)], port)

function connect(fd: number, to: Uint8Array): void {
  if (libc().connect(fd, to, to.length) < 0) throw packetFault('connect', libc().errno())
}

function set(fd: number, [level, name]: readonly [number, number], value: Uint8Array): void {
  const result = libc().setsockopt(fd, level, name, value, value.length)
  if (result < 0) throw packetFault('setsockopt', libc().errno())
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
