// Who else is on a link? Routers that advertise themselves are heard, and this host advertises
// itself to them, through a packet socket: the kernel would hear what it sends as another router's.
import { readFileSync } from 'node:fs'
import type { Mac } from '../../core/net/mac.ts'
import { routerFilter } from './packet/filters.ts'
import { openPacketSocket } from './packet/packetSocket.ts'

export type RouterDiscovery = {
  readonly index: number
  readonly mac: Mac
  /** Whether it went out. */
  send(frame: Uint8Array): boolean
  close(): void
}

type Handlers = {
  received(frame: Uint8Array): void
  /** It is closed. */
  ended(why: string): void
}

/** Throws where there is no such interface, or the kernel refuses. */
export function openRouterDiscovery(name: string, { received, ended }: Handlers): RouterDiscovery {
  const fact = (file: string): string =>
    readFileSync(`/sys/class/net/${name}/${file}`, 'utf8').trim()
  const [index, mac] = [Number(fact('ifindex')), fact('address') as Mac]
  const socket = openPacketSocket({
    interfaceIndex: index,
    filter: routerFilter,
    onFrame: received,
    onEnd: ({ message }) => ended(message),
  })
  return { index, mac, send: (frame) => socket.send(frame), close: () => socket.close() }
}
