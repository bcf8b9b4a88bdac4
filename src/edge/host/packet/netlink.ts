// How does Berth ask the kernel about interfaces and addresses? Over an rtnetlink(7) socket.
import { libc, openSocket } from './libc.ts'
import { packetFault } from './packetFault.ts'
import { read } from './reading.ts'

type Netlink = { send(message: Uint8Array): void; close(): void }

type NetlinkOptions = {
  /** The bytes are valid until it returns. */
  onDatagram(bytes: Uint8Array): void
  /** Everything available has been delivered. */
  onDrained(): void
  /** The socket is closed. Mostly its buffer overflowed and messages were lost. */
  onEnd(): void
}

const [netlinkFamily, rawType, routeProtocol] = [16, 3, 0] as const
/** RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR. */
const groups = 0x1 | 0x10 | 0x100
const [socketLevel, receiveBuffer] = [1, 8] as const
const roomBytes = 1 << 20
const datagramBytes = 1 << 16
const atOnce = 4

export function openNetlink(options: NetlinkOptions): Netlink {
  const c = libc()
  const fd = openSocket(netlinkFamily, rawType, routeProtocol)
  const room = new Uint8Array(new Uint32Array([roomBytes]).buffer)
  c.setsockopt(fd, socketLevel, receiveBuffer, room, room.length)
  // struct sockaddr_nl { u16 family; u16; u32 port, 0 for any; u32 groups }
  const address = Buffer.alloc(12)
  address.writeUInt16LE(netlinkFamily, 0)
  address.writeUInt32LE(groups, 8)
  if (c.bind(fd, address, address.length) < 0) {
    const fault = packetFault('bind', c.errno())
    c.close(fd)
    throw fault
  }
  const { onDatagram, onDrained, onEnd } = options
  const reading = read(fd, {
    datagramBytes,
    atOnce,
    onDatagram,
    onDrained,
    onEnd: () => onEnd(),
  })
  return {
    send(message) {
      if (reading.isOpen()) c.send(fd, message, message.length, 0)
    },
    close: reading.close,
  }
}
