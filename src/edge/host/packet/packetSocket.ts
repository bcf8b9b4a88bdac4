// How are Ethernet frames received and sent? Through a packet socket on one interface, packet(7).
import { attachFilter } from './attachFilter.ts'
import type { Filter } from './filters.ts'
import { libc, openSocket } from './libc.ts'
import { type PacketFault, packetFault } from './packetFault.ts'
import { type Reading, read } from './reading.ts'

export type PacketSocket = Pick<Reading, 'receive' | 'pause' | 'resume' | 'close'> & {
  /** False if it could not be sent: the interface is down, or its queue is full. */
  send(frame: Uint8Array): boolean
}

export type PacketSocketOptions = {
  readonly interfaceIndex: number
  readonly filter: Filter
  /** The bytes are valid until it returns. An exception loses only this frame. */
  onFrame(frame: Uint8Array): void
  /** The socket is closed; mostly the interface went down or was removed. */
  onEnd(fault: PacketFault): void
}

const [packetFamily, rawType] = [17, 3] as const
const [socketLevel, receiveBuffer] = [1, 8] as const
/** Requests come in bursts; the kernel may grant less. */
const bufferBytes = 1 << 20
const frameBytes = 2048
const framesAtOnce = 32

export function openPacketSocket(options: PacketSocketOptions): PacketSocket {
  const c = libc()
  // Protocol 0 receives nothing, so that no frame arrives before the filter is attached.
  const fd = openSocket(packetFamily, rawType, 0)
  try {
    prepare(fd, options)
  } catch (fault) {
    c.close(fd)
    throw fault
  }
  const { onFrame, onEnd } = options
  const reading = read(fd, {
    datagramBytes: frameBytes,
    atOnce: framesAtOnce,
    onDatagram: onFrame,
    onEnd: (code) => onEnd(packetFault('recv', code)),
  })
  return {
    ...reading,
    send: (frame) => reading.isOpen() && c.send(fd, frame, frame.length, 0) === frame.length,
  }
}

function prepare(fd: number, { interfaceIndex, filter }: PacketSocketOptions): void {
  const c = libc()
  const size = new Uint8Array(new Uint32Array([bufferBytes]).buffer)
  c.setsockopt(fd, socketLevel, receiveBuffer, size, size.length)
  attachFilter(fd, filter.program)
  // struct sockaddr_ll { u16 family; u16 protocol in network order; i32 interface; ... }
  const address = Buffer.alloc(20)
  address.writeUInt16LE(packetFamily, 0)
  address.writeUInt16BE(filter.etherType, 2)
  address.writeInt32LE(interfaceIndex, 4)
  if (c.bind(fd, address, address.length) < 0) throw packetFault('bind', c.errno())
}
