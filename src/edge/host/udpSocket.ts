// How do datagrams come and go? One socket on one address, opened again whenever it fails. It is
// one of the kernel's and not of node:dgram, which takes 64 KB of memory for each that comes, and
// a request object for each that goes: beats are all that a speaker does when nothing happens.
import { familyOf, type Ip } from '../../core/net/ip.ts'
import { ipFrom, ipOctets } from '../../core/net/octets.ts'
import { libc, openSocket } from './packet/libc.ts'
import { packetFault } from './packet/packetFault.ts'
import { type Reading, read } from './packet/reading.ts'

export type UdpEndpoint = { readonly address: Ip; readonly port: number }

export type UdpOptions = {
  readonly bind: UdpEndpoint
  /** The bytes are good until it returns. */
  readonly received: (bytes: Uint8Array, from: UdpEndpoint) => void
  /** Told once for each new reason until it works again. */
  readonly failed: (why: string) => void
  /** `port` answers differently now. */
  readonly changed?: () => void
  readonly reopenMs?: number
}

export type UdpSocket = {
  /** Of the socket that is open now: where the bound port is 0, it is the one that was given. */
  readonly port: number | undefined
  /** What cannot be sent is lost, as on any network. */
  readonly send: (bytes: Uint8Array, to: UdpEndpoint) => void
  /** What has come by now; false where more is left. */
  readonly receive: () => boolean
  /** Nobody is woken any more by what comes: it lies until `receive`. */
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => Promise<void>
}

/** Ends once the first try has succeeded or failed; failed ones go on behind it. */
export async function openUdp(options: UdpOptions): Promise<UdpSocket> {
  const udp = new Udp(options)
  udp.open()
  return udp
}

const [datagramType, socketLevel, receiveBuffer, ipv6Level, onlyIpv6] = [2, 1, 8, 41, 26] as const
const families = { IPv4: 2, IPv6: 10 } as const
/** Buffers for a stall of a second at a hundred members; the kernel may grant less. */
const bufferBytes = 1 << 20
const [datagramBytes, atOnce] = [1 << 16, 8]
/** Far more than there are members. */
const mostSenders = 4096

type Opened = { readonly fd: number; readonly port: number; readonly reading: Reading }

class Udp implements UdpSocket {
  readonly #options: UdpOptions
  readonly #senders = new Map<string | number, UdpEndpoint>()
  readonly #addresses = new WeakMap<UdpEndpoint, Uint8Array>()
  #opened: Opened | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false
  #isPaused = false
  #told = ''

  constructor(options: UdpOptions) {
    this.#options = options
  }

  get port(): number | undefined {
    return this.#opened?.port
  }

  send(bytes: Uint8Array, to: UdpEndpoint): void {
    if (this.#opened === undefined) return
    const address = this.#addressOf(to)
    // A route that is gone is an error of this one message; the socket stays.
    libc().sendto(this.#opened.fd, bytes, bytes.length, 0, address, address.length)
  }

  receive(): boolean {
    return this.#opened?.reading.receive() ?? true
  }

  pause(): void {
    this.#isPaused = true
    this.#opened?.reading.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#opened?.reading.resume()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#opened?.reading.close()
    this.#opened = undefined
  }

  open(): void {
    if (this.#isClosed) return
    try {
      const { fd, port } = bound(this.#options.bind)
      const reading = read(fd, {
        datagramBytes,
        atOnce,
        onDatagram: (bytes, from) => this.#options.received(bytes, this.#senderOf(from)),
        onEnd: (code) => this.#lose(packetFault('recv', code)),
      })
      this.#opened = { fd, port, reading }
      if (this.#isPaused) reading.pause()
      this.#told = ''
      this.#options.changed?.()
    } catch (error) {
      this.#lose(error)
    }
  }

  #lose(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    if (this.#told !== why) this.#options.failed(why)
    this.#told = why
    const wasOpen = this.#opened !== undefined
    this.#opened = undefined
    if (wasOpen) this.#options.changed?.()
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.open(), this.#options.reopenMs ?? 500)
  }

  #addressOf(to: UdpEndpoint): Uint8Array {
    const known = this.#addresses.get(to)
    if (known !== undefined) return known
    const address = addressOf(to)
    this.#addresses.set(to, address)
    return address
  }

  /** The same few speak many times a second. */
  #senderOf(address: Uint8Array): UdpEndpoint {
    const key = senderKey(address)
    const known = this.#senders.get(key)
    if (known !== undefined) return known
    if (this.#senders.size >= mostSenders) this.#senders.clear()
    const sender = endpointIn(address)
    this.#senders.set(key, sender)
    return sender
  }
}

function bound(bind: UdpEndpoint): Pick<Opened, 'fd' | 'port'> {
  const c = libc()
  const family = familyOf(bind.address)
  const fd = openSocket(families[family], datagramType, 0)
  const set = (level: number, name: number, value: number) =>
    c.setsockopt(fd, level, name, new Uint8Array(new Uint32Array([value]).buffer), 4)
  set(socketLevel, receiveBuffer, bufferBytes)
  if (family === 'IPv6') set(ipv6Level, onlyIpv6, 1)
  const address = addressOf(bind)
  const length = new Uint8Array(new Uint32Array([address.length]).buffer)
  const isBound =
    c.bind(fd, address, address.length) === 0 && c.getsockname(fd, address, length) === 0
  if (isBound) return { fd, port: endpointIn(address).port }
  const fault = packetFault(`bind to ${bind.address} port ${bind.port}`, c.errno())
  c.close(fd)
  throw fault
}

// struct sockaddr_in  { u16 family; u16 port in network order; 4 octets; 8 of padding }
// struct sockaddr_in6 { u16 family; u16 port in network order; u32 flow; 16 octets; u32 scope }
const octetsAt = { IPv4: 4, IPv6: 8 } as const
const addressBytes = { IPv4: 16, IPv6: 28 } as const

function addressOf({ address, port }: UdpEndpoint): Uint8Array {
  const family = familyOf(address)
  const bytes = Buffer.alloc(addressBytes[family])
  bytes.writeUInt16LE(families[family], 0)
  bytes.writeUInt16BE(port, 2)
  bytes.set(ipOctets(address), octetsAt[family])
  return bytes
}

/** Of IPv4 a number, which is cheaper than a text: port and octets. */
function senderKey(address: Uint8Array): string | number {
  const view = new DataView(address.buffer, address.byteOffset, address.length)
  return view.getUint16(0, true) === families.IPv4
    ? view.getUint16(2) * 2 ** 32 + view.getUint32(octetsAt.IPv4)
    : Buffer.from(address.buffer, address.byteOffset, address.length).toString('latin1')
}

function endpointIn(address: Uint8Array): UdpEndpoint {
  const view = new DataView(address.buffer, address.byteOffset, address.length)
  const family = view.getUint16(0, true) === families.IPv6 ? 'IPv6' : 'IPv4'
  const [from, length] = [octetsAt[family], family === 'IPv6' ? 16 : 4]
  return { address: ipFrom(address.subarray(from, from + length)), port: view.getUint16(2) }
}
