// How are datagrams sent and received? On one socket and address, reopened whenever it fails.
import { createSocket, type Socket } from 'node:dgram'
import { familyOf, type Ip, parseIp } from '../../core/net/ip.ts'

export type UdpEndpoint = { readonly address: Ip; readonly port: number }

type UdpOptions = {
  readonly bind: UdpEndpoint
  readonly received: (bytes: Uint8Array, from: UdpEndpoint) => void
  /** Called once for each new reason until it works again. */
  readonly failed: (why: string) => void
  /** `port` has changed. */
  readonly changed?: () => void
  readonly reopenMs?: number
}

export type UdpSocket = {
  /** The port of the open socket: with port 0, the one that was assigned. */
  readonly port: number | undefined
  /** A datagram that cannot be sent is lost, as on any network. */
  readonly send: (bytes: Uint8Array, to: UdpEndpoint) => void
  readonly close: () => Promise<void>
}

/** Resolves after the first attempt; if that failed, retries continue in the background. */
export async function openUdp(options: UdpOptions): Promise<UdpSocket> {
  const udp = new Udp(options)
  await udp.open()
  return udp
}

/** Enough for a stall of one second with a hundred members; the kernel may grant less. */
const recvBufferSize = 1 << 20
/** Far more than there are members. */
const mostSenders = 4096

class Udp implements UdpSocket {
  readonly #options: UdpOptions
  readonly #senders = new Map<string, UdpEndpoint>()
  #socket: Socket | undefined
  #port: number | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false
  #told = ''

  constructor(options: UdpOptions) {
    this.#options = options
  }

  get port(): number | undefined {
    return this.#port
  }

  send(bytes: Uint8Array, { address, port }: UdpEndpoint): void {
    // Without a callback, a missing route fails this one message and says nothing.
    if (this.#port !== undefined) this.#socket?.send(bytes, port, address)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#drop()
  }

  async open(): Promise<void> {
    if (this.#isClosed) return
    const { bind, received, changed } = this.#options
    const type = familyOf(bind.address) === 'IPv4' ? 'udp4' : 'udp6'
    // Always an IP address: there is no name to look up.
    const lookup = (address: string, _: unknown, done: Looked) =>
      done(null, address, type === 'udp4' ? 4 : 6)
    const socket = createSocket({ type, ipv6Only: type === 'udp6', recvBufferSize, lookup })
    this.#socket = socket
    socket.on('message', (bytes, { address, port }) => {
      const from = this.#senderOf(address, port)
      if (from !== undefined) received(bytes, from)
    })
    await new Promise<void>((resolve) => {
      socket.on('error', (error) => {
        this.#lose(error)
        resolve()
      })
      socket.bind({ address: bind.address, port: bind.port, exclusive: true }, () => {
        this.#port = socket.address().port
        this.#told = ''
        changed?.()
        resolve()
      })
    })
  }

  #lose({ message }: Error): void {
    if (this.#told !== message) this.#options.failed(message)
    this.#told = message
    this.#drop()
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.open(), this.#options.reopenMs ?? 500)
  }

  #drop(): void {
    const wasOpen = this.#port !== undefined
    this.#port = undefined
    this.#socket?.close()
    this.#socket = undefined
    if (wasOpen && !this.#isClosed) this.#options.changed?.()
  }

  /** Cached, because the same few senders send many times a second. */
  #senderOf(text: string, port: number): UdpEndpoint | undefined {
    const key = `${text} ${port}`
    const known = this.#senders.get(key)
    if (known !== undefined) return known
    // A link-local address carries its interface after a %.
    const address = parseIp(text.replace(/%.*$/, ''))
    if (!address.ok) return undefined
    if (this.#senders.size >= mostSenders) this.#senders.clear()
    const sender = { address: address.value, port }
    this.#senders.set(key, sender)
    return sender
  }
}

type Looked = (error: NodeJS.ErrnoException | null, address: string, family: number) => void
