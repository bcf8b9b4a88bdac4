// One BGP connection, as far as the walk needs it: both sides say who they are and stay in touch, and
// one tells the other prefixes of IPv4.
import type { Socket } from 'node:net'
import { type Family, type Ip, parseIp } from '../../src/core/net/ip.ts'
import { ipOctets } from '../../src/core/net/octets.ts'
import { Inbox } from '../../src/core/session/bgp/inbox.ts'
import { encodeKeepalive, encodeMessage, mostBytes } from '../../src/core/wire/bgp/header.ts'
import { encodeOpen } from '../../src/core/wire/bgp/open.ts'

const holdSeconds = 9

type LineOptions = {
  readonly asn: number
  readonly routerId: string
  readonly isUp: () => void
  readonly updated: (body: Uint8Array) => void
  readonly ended: () => void
}

export function bgpLine(socket: Socket, options: LineOptions): void {
  const { asn, isUp, updated, ended } = options
  const write = (bytes: Uint8Array) => void (socket.writable && socket.write(bytes))
  const inbox = new Inbox({
    mostBytes: () => mostBytes.usual,
    deliver(incoming) {
      if (incoming.kind === 'garbage' || incoming.type === 'NOTIFICATION') socket.destroy()
      else if (incoming.type === 'OPEN') write(encodeKeepalive())
      else if (incoming.type === 'KEEPALIVE') isUp()
      else if (incoming.type === 'UPDATE') updated(incoming.body)
    },
  })
  const families: readonly Family[] = ['IPv4']
  const capabilities = {
    ...{ families, asn, canRefresh: false, canRefreshEnhanced: false },
    ...{ canExtend: false, restart: undefined },
  }
  const beating = setInterval(() => write(encodeKeepalive()), (holdSeconds * 1_000) / 3)
  socket.setNoDelay(true)
  socket.setTimeout(holdSeconds * 1_000, () => socket.destroy())
  socket.on('data', (chunk) => inbox.take(chunk))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clearInterval(beating)
    ended()
  })
  const routerId = parseIp(options.routerId)
  if (!routerId.ok) throw new Error(routerId.why)
  write(encodeOpen({ asn, holdSeconds, routerId: routerId.value, capabilities }))
}

/** With one prefix: of one address, through us. */
export function announcement(ip: Ip, { asn, nextHop }: { asn: number; nextHop: Ip }): Uint8Array {
  const path = new Uint8Array(4)
  new DataView(path.buffer).setUint32(0, asn)
  const attributes = [
    ...[0x40, 1, 1, 0],
    ...[0x40, 2, 6, 2, 1, ...path],
    ...[0x40, 3, 4, ...ipOctets(nextHop)],
  ]
  const [lengths, prefix] = [
    [0, 0, 0, attributes.length],
    [32, ...ipOctets(ip)],
  ]
  return encodeMessage('UPDATE', Uint8Array.from([...lengths, ...attributes, ...prefix]))
}

export const withdrawal = (ip: Ip): Uint8Array =>
  encodeMessage('UPDATE', Uint8Array.from([0, 5, 32, ...ipOctets(ip), 0, 0]))
