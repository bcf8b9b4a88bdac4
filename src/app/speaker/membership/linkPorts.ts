// How do members' messages travel over the links that announce? In frames of EtherType 0x88b5.
//   | destination MAC 6 | source MAC 6 | 0x88b5 | sealed message |
import type { Mac } from '../../../core/net/mac.ts'
import { macFrom, macOctets } from '../../../core/net/octets.ts'
import { membershipFilter } from '../../../edge/host/packet/filters.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import { openPacketSocket, type PacketSocket } from '../../../edge/host/packet/packetSocket.ts'
import { monotonicMs } from '../monotonic.ts'

export type LinkPortsOptions = {
  /** The bytes are good until it returns. */
  readonly received: (sealed: Uint8Array, link: string, from: Mac) => void
  /** Told once for each new reason on a link. */
  readonly failed: (link: string, why: string) => void
  readonly open?: typeof openPacketSocket
}

type Port = {
  readonly index: number
  readonly mac: Mac
  readonly source: Uint8Array
  socket: PacketSocket | undefined
}

const headerBytes = 14
/**
 * As long as an interface exists and is up it is tried again: soon after a brief loss of the link,
 * which the others must not take for its end, then less and less often.
 */
const [soonMs, againMs] = [50, 1_000]

export class LinkPorts {
  readonly #options: LinkPortsOptions
  readonly #ports = new Map<string, Port>()
  readonly #told = new Map<string, string>()
  readonly #octets = new Map<Mac, Uint8Array>()
  #again: NodeJS.Timeout | undefined
  #pauseMs = soonMs / 2
  #triedAt = Number.NEGATIVE_INFINITY
  #isClosed = false
  #isPaused = false

  constructor(options: LinkPortsOptions) {
    this.#options = options
  }

  /** Those that announce; a renamed interface, or one made anew, has another index or MAC. */
  follow(links: readonly HostLink[]): void {
    const wanted = new Map(links.filter(({ isUp }) => isUp).map((link) => [link.name, link]))
    for (const [name, port] of this.#ports) {
      const link = wanted.get(name)
      if (link?.index === port.index && link.mac === port.mac) continue
      port.socket?.close()
      this.#ports.delete(name)
    }
    for (const { name, index, mac } of wanted.values()) {
      if (this.#ports.has(name)) continue
      this.#ports.set(name, { index, mac, source: macOctets(mac), socket: undefined })
    }
    this.#openAll()
  }

  send(link: string, to: Mac, sealed: Uint8Array): void {
    const port = this.#ports.get(link)
    if (!port?.socket) return
    // From Node's pool: one of its own for each beat would be most of what is thrown away.
    const frame = Buffer.allocUnsafe(headerBytes + sealed.length)
    frame.set(this.#octetsOf(to))
    frame.set(port.source, 6)
    frame.writeUInt16BE(membershipFilter.etherType, 12)
    frame.set(sealed, headerBytes)
    port.socket.send(frame)
  }

  /** What has come by now; false where more is left. */
  receive(): boolean {
    let isDrained = true
    for (const { socket } of this.#ports.values()) {
      isDrained = (socket?.receive() ?? true) && isDrained
    }
    return isDrained
  }

  /** Nobody is woken any more by what comes: it lies until `receive`. */
  pause(): void {
    this.#isPaused = true
    for (const { socket } of this.#ports.values()) socket?.pause()
  }

  resume(): void {
    this.#isPaused = false
    for (const { socket } of this.#ports.values()) socket?.resume()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#again)
    for (const { socket } of this.#ports.values()) socket?.close()
    this.#ports.clear()
  }

  #openAll(): void {
    clearTimeout(this.#again)
    if (this.#isClosed) return
    this.#forgive()
    for (const [name, port] of this.#ports) if (!port.socket) this.#open(name, port)
    const isWhole = [...this.#ports.values()].every(({ socket }) => socket !== undefined)
    if (!isWhole) this.#tryAgain()
  }

  /** A socket on a link that is down opens, and ends at once: only a calm while counts. */
  #forgive(): void {
    if (monotonicMs() - this.#triedAt <= 2 * againMs) return
    this.#pauseMs = soonMs / 2
    this.#told.clear()
  }

  #tryAgain(): void {
    clearTimeout(this.#again)
    if (this.#isClosed) return
    this.#triedAt = monotonicMs()
    this.#pauseMs = Math.min(againMs, 2 * this.#pauseMs)
    this.#again = setTimeout(() => this.#openAll(), this.#pauseMs)
  }

  #open(name: string, port: Port): void {
    const { open = openPacketSocket, received } = this.#options
    try {
      port.socket = open({
        interfaceIndex: port.index,
        filter: membershipFilter,
        onFrame: (frame) => {
          if (frame.length < headerBytes) return
          received(frame.subarray(headerBytes), name, macFrom(frame.subarray(6, 12)))
        },
        onEnd: (fault) => this.#lost(name, port, fault),
      })
      if (this.#isPaused) port.socket.pause()
    } catch (error) {
      this.#tell(name, error)
    }
  }

  #lost(name: string, port: Port, fault: Error): void {
    port.socket = undefined
    this.#forgive()
    this.#tell(name, fault)
    this.#tryAgain()
  }

  #tell(name: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    if (this.#told.get(name) === why) return
    this.#told.set(name, why)
    this.#options.failed(name, why)
  }

  /** The same few are spoken to many times a second. */
  #octetsOf(mac: Mac): Uint8Array {
    const known = this.#octets.get(mac)
    if (known) return known
    if (this.#octets.size > 1000) this.#octets.clear()
    const octets = macOctets(mac)
    this.#octets.set(mac, octets)
    return octets
  }
}
