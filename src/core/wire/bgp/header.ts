// BGP message header, RFC 4271 §4.1; the refusals are §6.1. Longer messages: RFC 8654.
//   | marker, 16 bytes of ones | length 2 | type 1 |
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import { type Read, refused } from './notice.ts'

const types = ['', 'OPEN', 'UPDATE', 'NOTIFICATION', 'KEEPALIVE', 'ROUTE-REFRESH'] as const
export type MessageType = Exclude<(typeof types)[number], ''>

type Header = {
  readonly type: MessageType
  /** Of the whole message. */
  readonly lengthBytes: number
}

export const headerBytes = 19
/** What every peer takes, and what one takes that has agreed to more. */
export const mostBytes = { usual: 4096, extended: 65535 } as const

const shortest: Readonly<Record<MessageType, number>> = {
  OPEN: 29,
  UPDATE: 23,
  NOTIFICATION: 21,
  KEEPALIVE: 19,
  'ROUTE-REFRESH': 19,
}

/** Of the first 19 bytes. An OPEN and a KEEPALIVE never are longer than 4096 bytes. */
export function decodeHeader(bytes: Uint8Array, most: number): Read<Header> {
  const r = new Reader(bytes)
  const marker = r.bytes(16)
  const [lengthBytes, code] = [r.u16(), r.u8()]
  if (r.overran || marker.some((octet) => octet !== 255)) return refused(1, 1)
  const badLength = refused(1, 2, new Writer(2).u16(lengthBytes).done())
  if (lengthBytes < headerBytes || lengthBytes > most) return badLength
  const type = types[code]
  if (type === undefined || type === '') return refused(1, 3, Uint8Array.of(code))
  if (lengthBytes < shortest[type]) return badLength
  if (type === 'KEEPALIVE' && lengthBytes !== headerBytes) return badLength
  if (type === 'OPEN' && lengthBytes > mostBytes.usual) return badLength
  return { ok: true, value: { type, lengthBytes } }
}

export function writeHeader(w: Writer, type: MessageType, lengthBytes: number): Writer {
  for (let at = 0; at < 4; at++) w.u32(0xffffffff)
  return w.u16(lengthBytes).u8(types.indexOf(type))
}

export function encodeMessage(type: MessageType, body: Uint8Array): Uint8Array {
  const lengthBytes = headerBytes + body.length
  return writeHeader(new Writer(lengthBytes), type, lengthBytes).bytes(body).done()
}

export const encodeKeepalive = (): Uint8Array => encodeMessage('KEEPALIVE', new Uint8Array())
