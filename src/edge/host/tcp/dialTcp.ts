// How is a router dialled? By a socket of our own, because Node cannot set what must hold from the
// first packet on: source, TTL, device and key. Once connected, Node has it.
import { Socket } from 'node:net'
import { familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import { libc, openSocket } from '../packet/libc.ts'
import { packetFault } from '../packet/packetFault.ts'
import { addressFamilies, socketAddress } from './socketAddress.ts'

export type TcpTarget = {
  readonly address: Ip
  readonly port: number
  /** Undefined: the kernel chooses. */
  readonly source: Ip | undefined
  readonly ttl: number
  /** What comes with a lower one is dropped; undefined: nothing is. */
  readonly leastTtl?: number | undefined
  /** A VRF, or an interface; '' for neither. */
  readonly device: string
  /** RFC 2385; undefined for none. */
  readonly key: Uint8Array | undefined
}

export type TcpHandlers = {
  connected(local: Ip): void
  received(bytes: Uint8Array): void
  /** There is room again after `write` said that there is none. */
  drained(): void
  /** Once, whatever the reason; never after `destroy`. */
  ended(why: string): void
}

export type TcpConnection = {
  /** Whether there is room for more. */
  write(bytes: Uint8Array): boolean
  /** After all that was written has been delivered, or after a second. */
  hangUp(): Promise<void>
  /** From now on with this key, in both directions; '' or why not. */
  rekey(key: Uint8Array): string
  destroy(): void
}

const [stream, tcp] = [1, 6] as const
const [solSocket, soError, bindToDevice] = [1, 4, 25] as const
const options = {
  IPv4: { level: 0, ttl: 2, leastTtl: 21, trafficClass: 1 },
  IPv6: { level: 41, ttl: 16, leastTtl: 73, trafficClass: 67 },
} as const
const md5Signature = 14
/** CS6, what routers give to routing protocols. */
const internetControl = 0xc0
const hangUpMs = 1_000
/** What is read before everything else has its turn. */
const mostAtOnce = 65_536

/** What cannot be tells `ended` like everything else, soon. */
export function dialTcp(target: TcpTarget, handlers: TcpHandlers): TcpConnection {
  const connection = new Dialled(handlers)
  queueMicrotask(() => connection.dial(target))
  return connection
}

type Taken = Pick<TcpTarget, 'address' | 'ttl' | 'leastTtl'> & { readonly fd: number }

/** One that was accepted. `connected` is told before this returns. */
export function takeTcp(taken: Taken, handlers: TcpHandlers): TcpConnection {
  const connection = new Dialled(handlers)
  connection.take(taken)
  return connection
}

class Dialled implements TcpConnection {
  readonly #handlers: TcpHandlers
  #peer: Ip | undefined
  #socket: Socket | undefined
  /** Of the socket, for as long as that is open. */
  #fd = -1
  #polling: { close(): void; readonly fd: number } | undefined
  /** Since it rested. */
  #readBytes = 0
  #isOver = false

  constructor(handlers: TcpHandlers) {
    this.#handlers = handlers
  }

  dial(target: TcpTarget): void {
    if (this.#isOver) return
    try {
      this.#peer = target.address
      const fd = begin(target)
      const polling = libc().whenWritable(fd, () => this.#answered(fd))
      this.#polling = { fd, close: () => polling.close() }
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error))
    }
  }

  take({ fd, ...target }: Taken): void {
    this.#peer = target.address
    this.#fd = fd
    try {
      limit(fd, target)
      this.#connected(new Socket({ fd, readable: true, writable: true }))
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error))
    }
  }

  /** What is written at once goes out together: a message may be far smaller than a packet. */
  write(bytes: Uint8Array): boolean {
    const socket = this.#socket
    if (socket === undefined) return false
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return socket.write(bytes)
  }

  async hangUp(): Promise<void> {
    const socket = this.#socket
    this.#isOver = true
    if (socket === undefined) {
      this.destroy()
      return
    }
    // What the peer still sends is read: closing over it would reset the connection, and what we
    // said last would be lost.
    socket.resume()
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, hangUpMs)
      socket.once('close', () => {
        clearTimeout(late)
        resolve()
      })
      socket.end()
    })
    socket.destroy()
  }

  rekey(key: Uint8Array): string {
    const isOpen = this.#socket !== undefined && !this.#socket.destroyed
    const fd = isOpen ? this.#fd : this.#polling?.fd
    if (fd === undefined || this.#peer === undefined || this.#isOver) return 'it is closed'
    const signature = signatureOf(this.#peer, key)
    const result = libc().setsockopt(fd, tcp, md5Signature, signature, signature.length)
    return result < 0 ? libc().errno() : ''
  }

  destroy(): void {
    this.#isOver = true
    this.#socket?.destroy()
    // Node has not got it, and nobody else closes it.
    if (this.#socket === undefined && this.#fd >= 0) libc().close(this.#fd)
    this.#fd = -1
    this.#stopPolling('closing')
  }

  #answered(fd: number): void {
    if (this.#isOver) return
    try {
      const code = errorOf(fd)
      this.#stopPolling(code === 0 ? 'handing over' : 'closing')
      if (code !== 0) {
        this.#end(libc().nameOf(code))
        return
      }
      this.#fd = fd
      this.#connected(new Socket({ fd, readable: true, writable: true }))
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error))
    }
  }

  #connected(socket: Socket): void {
    // One of a link comes with its interface.
    const [text = ''] = (socket.localAddress ?? '').split('%')
    const local = parseIp(text)
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('error', ({ message }) => this.#end(message))
    socket.on('close', () => this.#end('the peer closed the connection'))
    if (!local.ok) {
      this.#end('the connection was reset')
      return
    }
    socket.on('data', (bytes: Uint8Array) => {
      if (this.#isOver) return
      this.#handlers.received(bytes)
      this.#rest(socket, bytes.length)
    })
    socket.on('drain', () => {
      if (!this.#isOver) this.#handlers.drained()
    })
    this.#handlers.connected(local.value)
  }

  /** A peer that sends without a pause must not delay timers and other connections. */
  #rest(socket: Socket, bytes: number): void {
    this.#readBytes += bytes
    if (this.#readBytes < mostAtOnce || this.#isOver) return
    this.#readBytes = 0
    socket.pause()
    setImmediate(() => socket.resume())
  }

  #end(why: string): void {
    if (this.#isOver) return
    this.destroy()
    this.#handlers.ended(why)
  }

  #stopPolling(then: 'closing' | 'handing over'): void {
    const polling = this.#polling
    this.#polling = undefined
    polling?.close()
    if (polling !== undefined && then === 'closing') libc().close(polling.fd)
  }
}

/** The connection is on its way then. */
function begin(target: TcpTarget): number {
  const { address, port, source } = target
  const c = libc()
  const fd = openSocket(addressFamilies[familyOf(address)], stream, tcp)
  try {
    prepare(fd, target)
    if (source !== undefined) refuse('bind', bound(fd, source))
    const to = socketAddress(address, port)
    const isRefused = c.connect(fd, to, to.length) < 0 && c.errno() !== 'EINPROGRESS'
    if (isRefused) throw packetFault('connect', c.errno())
    return fd
  } catch (error) {
    c.close(fd)
    throw error
  }
}

function bound(fd: number, source: Ip): number {
  const from = socketAddress(source, 0)
  return libc().bind(fd, from, from.length)
}

function prepare(fd: number, target: TcpTarget): void {
  const { address, device, key } = target
  const c = libc()
  limit(fd, target)
  if (device !== '') {
    const text = Buffer.from(device)
    refuse(`device ${device}`, c.setsockopt(fd, solSocket, bindToDevice, text, text.length))
  }
  if (key !== undefined) {
    const signature = signatureOf(address, key)
    refuse('TCP MD5', c.setsockopt(fd, tcp, md5Signature, signature, signature.length))
  }
}

function limit(fd: number, { address, ttl, leastTtl }: Omit<Taken, 'fd'>): void {
  const c = libc()
  const { level, ...option } = options[familyOf(address)]
  refuse('TTL', c.setsockopt(fd, level, option.ttl, word(ttl), 4))
  const marked = c.setsockopt(fd, level, option.trafficClass, word(internetControl), 4)
  refuse('traffic class', marked)
  if (leastTtl === undefined) return
  refuse('least TTL', c.setsockopt(fd, level, option.leastTtl, word(leastTtl), 4))
}

function refuse(what: string, result: number): void {
  if (result < 0) throw packetFault(what, libc().errno())
}

/**
 * struct tcp_md5sig: whom it is for, at 130 the length of the key, at 136 the key. An empty key
 * takes away what was there.
 */
export function signatureOf(peer: Ip, key: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(216)
  bytes.set(socketAddress(peer, 0))
  bytes.writeUInt16LE(key.length, 130)
  bytes.set(key, 136)
  return bytes
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function errorOf(fd: number): number {
  const [value, length] = [word(0), word(4)]
  refuse('connect', libc().getsockopt(fd, solSocket, soError, value, length))
  return Buffer.from(value).readInt32LE()
}
