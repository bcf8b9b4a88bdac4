// How do echo packets reach the peer and come back? The kernel would keep a packet to ourselves
// and drops one from ourselves: both go through a packet socket on the link.
import { readFileSync } from 'node:fs'
import type { Ip } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import { macFrom } from '../../../core/net/octets.ts'
import { echoFilter } from '../packet/filters.ts'
import { openPacketSocket } from '../packet/packetSocket.ts'

export type EchoTarget = {
  readonly interface: string
  /** Ours on it. */
  readonly address: Ip
}

export type EchoSocket = {
  /** Whether it went out. */
  send(frameBetween: (from: Mac, to: Mac) => Uint8Array): boolean
  /** Whether this host gives back what the peer sends in the same way. */
  readonly canLoop: boolean
  close(): void
}

type Handlers = {
  received(frame: Uint8Array): void
  ended(why: string): void
}

/** The kernel's table may change: a router that is replaced has another address on the link. */
const lookAgainAfter = 16

/** Throws where the kernel refuses. */
export function openBfdEcho(
  { interface: name }: EchoTarget,
  peer: Ip,
  { received, ended }: Handlers,
): EchoSocket {
  const own = macIn(textOf(`/sys/class/net/${name}/address`))
  let [peerMac, sent]: [Mac | undefined, number] = [undefined, 0]
  const socket = openPacketSocket({
    interfaceIndex: Number(textOf(`/sys/class/net/${name}/ifindex`)),
    filter: echoFilter,
    onFrame: received,
    onEnd: ({ message }) => ended(message),
  })
  return {
    send(frameBetween) {
      if (peerMac === undefined || sent++ % lookAgainAfter === 0) peerMac = neighbour(peer, name)
      if (own === undefined || peerMac === undefined) return false
      return socket.send(frameBetween(own, peerMac))
    },
    canLoop: textOf(`/proc/sys/net/ipv4/conf/${name}/forwarding`) === '1',
    close: () => socket.close(),
  }
}

const textOf = (path: string): string => readFileSync(path, 'utf8').trim()

const macIn = (text: string): Mac | undefined =>
  /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(text)
    ? macFrom(Buffer.from(text.replaceAll(':', ''), 'hex'))
    : undefined

/** IP address, type, flags (2: complete), MAC, mask, interface. */
function neighbour(peer: Ip, name: string): Mac | undefined {
  const rows = textOf('/proc/net/arp').split('\n')
  const found = rows
    .map((row) => row.split(/\s+/))
    .find(([ip, , flags, , , on]) => ip === peer && on === name && Number(flags) % 4 >= 2)
  return found && macIn(found[3] ?? '')
}
