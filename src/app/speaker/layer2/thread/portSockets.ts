// Which sockets are open? One for each announcing interface and family. They follow the list of
// ports, and a socket that fails is reopened.
import type { Family } from '../../../../core/net/ip.ts'
import type { Port } from '../../../../core/session/layer2/port.ts'
import { arpFilter, ndpFilter } from '../../../../edge/host/packet/filters.ts'
import { openPacketSocket, type PacketSocket } from '../../../../edge/host/packet/packetSocket.ts'

type PortSocketsOptions = {
  /** Returns the answer to send on the port that received the frame. */
  onFrame(family: Family, port: number, frame: Uint8Array): Uint8Array | undefined
  /** Called when the ports with sockets, or the names of those without, change. */
  onPorts(ports: readonly Port[], closed: readonly string[]): void
  onTrouble(text: string): void
}

const filters = { IPv4: arpFilter, IPv6: ndpFilter } as const
/** After a failure: mostly the interface was down for a moment. */
const reopenMs = 50
/** After a failed open, for example for lack of a capability. */
const retryMs = 1_000

export class PortSockets {
  readonly #options: PortSocketsOptions
  readonly #sockets = new Map<string, PacketSocket>()
  /** Ports where a socket for some family could not be opened, until the next retry. */
  readonly #refused = new Set<Port>()
  #ports: readonly Port[] = []
  #retry: NodeJS.Timeout | undefined

  constructor(options: PortSocketsOptions) {
    this.#options = options
  }

  follow(ports: readonly Port[]): void {
    clearTimeout(this.#retry)
    this.#ports = ports
    const wanted = new Set(ports.flatMap((port) => port.families.map((f) => keyOf(port.index, f))))
    for (const [key, socket] of this.#sockets) {
      if (wanted.has(key)) continue
      socket.close()
      this.#sockets.delete(key)
    }
    this.#refused.clear()
    for (const port of ports) for (const family of port.families) this.#open(port, family)
    this.#tell()
  }

  /** False if nothing was sent. */
  send(port: number, frame: Uint8Array): boolean {
    // Chosen by the EtherType.
    const family = frame[12] === 0x08 ? 'IPv4' : 'IPv6'
    return this.#sockets.get(keyOf(port, family))?.send(frame) ?? false
  }

  close(): void {
    clearTimeout(this.#retry)
    for (const socket of this.#sockets.values()) socket.close()
    this.#sockets.clear()
  }

  #open(port: Port, family: Family): void {
    const key = keyOf(port.index, family)
    if (this.#sockets.has(key)) return
    const { onFrame, onTrouble } = this.#options
    try {
      const socket = openPacketSocket({
        interfaceIndex: port.index,
        filter: filters[family],
        onFrame: (frame) => {
          const answer = onFrame(family, port.index, frame)
          if (answer !== undefined) socket.send(answer)
        },
        // A port that returns announces again: nothing could be sent in the meantime.
        onEnd: () => {
          this.#sockets.delete(key)
          this.#tell()
          this.#again(reopenMs)
        },
      })
      this.#sockets.set(key, socket)
    } catch (error) {
      this.#refused.add(port)
      onTrouble(`${port.name}: ${error instanceof Error ? error.message : String(error)}`)
      this.#again(retryMs)
    }
  }

  #tell(): void {
    const ports = this.#ports.map((port) => ({
      ...port,
      families: port.families.filter((family) => this.#sockets.has(keyOf(port.index, family))),
    }))
    const open = ports.filter(({ families }) => families.length > 0)
    const names = new Set(open.map(({ name }) => name))
    const refused = [...this.#refused].map(({ name }) => name)
    this.#options.onPorts(
      open,
      refused.filter((name) => !names.has(name)),
    )
  }

  #again(inMs: number): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.follow(this.#ports), inMs)
  }
}

const keyOf = (port: number, family: Family): string => `${port} ${family}`
