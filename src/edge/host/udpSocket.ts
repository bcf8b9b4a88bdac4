// How do datagrams come and go? One socket on one address, opened again whenever it fails.
import { createSocket, type Socket, type SocketOptions } from 'node:dgram'
import { familyOf, type Ip, parseIp } from '../../core/net/ip.ts'

export type UdpEndpoint = { readonly address: Ip; readonly port: number }

export type UdpOptions = {
  readonly bind: UdpEndpoint
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
  readonly close: () => Promise<void>
}

/** Ends once the first try has succeeded or failed; failed ones go on behind it. */
export async function openUdp(options: UdpOptions): Promise<UdpSocket> {
  const udp = new Udp(options)
  await udp.open()
  return udp
}

/** Buffers for a stall of a second at a hundred members; the kernel may grant less. */
const bufferBytes = 1 << 20

class Udp implements UdpSocket {
  readonly #options: UdpOptions
  #socket: Socket | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false
  #told = ''
  #port: number | undefined

  constructor(options: UdpOptions) {
    this.#options = options
  }

  get port(): number | undefined {
    return this.#port
  }

  send(bytes: Uint8Array, { address, port }: UdpEndpoint): void {
    // A route that is gone is an error of this one message; the socket stays.
    this.#socket?.send(bytes, port, address, ignore)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    const socket = this.#socket
    this.#use(undefined)
    if (socket) await new Promise<void>((resolve) => socket.close(() => resolve()))
  }

  open(): Promise<void> {
    return new Promise((tried) => this.#open(tried))
  }

  #open(tried: () => void): void {
    const { bind } = this.#options
    const type = familyOf(bind.address) === 'IPv6' ? 'udp6' : 'udp4'
    const socket = createSocket({ type, lookup: literal, ipv6Only: type === 'udp6' })
    socket.on('error', (error) => {
      this.#lose(socket, error.message)
      tried()
    })
    socket.on('message', (bytes, { address, port }) => {
      const from = parseIp(address)
      if (from.ok) this.#options.received(bytes, { address: from.value, port })
    })
    socket.bind({ address: bind.address, port: bind.port }, () => {
      this.#opened(socket)
      tried()
    })
  }

  #opened(socket: Socket): void {
    if (this.#isClosed) {
      socket.close()
      return
    }
    this.#told = ''
    try {
      socket.setRecvBufferSize(bufferBytes)
    } catch {
      // What the kernel gives by itself is enough for an ordinary cluster.
    }
    this.#use(socket)
  }

  #use(socket: Socket | undefined): void {
    this.#socket = socket
    this.#port = socket?.address().port
    if (!this.#isClosed) this.#options.changed?.()
  }

  #lose(socket: Socket, why: string): void {
    if (this.#told !== why) this.#options.failed(why)
    this.#told = why
    if (this.#socket === socket) this.#use(undefined)
    socket.removeAllListeners().on('error', ignore)
    try {
      socket.close()
    } catch {
      // It was never open.
    }
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.open(), this.#options.reopenMs ?? 500)
  }
}

const ignore = () => undefined

/** Our addresses are literal: nothing is looked up, nor a turn of the event loop waited for. */
const literal: NonNullable<SocketOptions['lookup']> = (address, _options, found) =>
  found(null, address, address.includes(':') ? 6 : 4)
