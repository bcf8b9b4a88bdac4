// NOTIFICATION, RFC 4271 §4.5; the text of a shutdown is RFC 9003.
//   | code 1 | subcode 1 | data |          data of 6/2 and 6/4: | length 1 | UTF-8 |
//                                        data of 6/9 (RFC 8538): another one
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import { encodeMessage } from './header.ts'
import { type Notice, notice } from './notice.ts'
import { textFrom, utf8 } from './text.ts'

/** What a length of one octet can say. */
const mostTextBytes = 255
const [cease, shutdown, reset, hard] = [6, 2, 4, 9] as const

export function decodeNotification(body: Uint8Array): Notice {
  const r = new Reader(body)
  const [code, subcode] = [r.u8(), r.u8()]
  return notice(code, subcode, r.bytes(r.left))
}

export function encodeNotification({ code, subcode, data }: Notice): Uint8Array {
  return encodeMessage('NOTIFICATION', new Writer(64).u8(code).u8(subcode).bytes(data).done())
}

/** To shut a session down, in words for whoever runs the router. */
export function shutdownNotice(text: string): Notice {
  const bytes = utf8(text, mostTextBytes)
  return notice(cease, shutdown, new Writer(64).u8(bytes.length).bytes(bytes).done())
}

/** After which the peer keeps no route of ours, although it agreed to (RFC 8538 §3). */
export const hardReset = ({ code, subcode, data }: Notice): Notice =>
  notice(cease, hard, new Writer(64).u8(code).u8(subcode).bytes(data).done())

/** Why there was a Hard Reset; undefined where it is none, or does not say. */
export const insideOf = ({ code, subcode, data }: Notice): Notice | undefined =>
  code === cease && subcode === hard && data.length >= 2 ? decodeNotification(data) : undefined

/** What the peer's operator wrote; '' where nothing was, or where it cannot be read. */
export function shutdownText({ code, subcode, data }: Notice): string {
  if (code !== cease || (subcode !== shutdown && subcode !== reset)) return ''
  const r = new Reader(data)
  const text = r.bytes(r.u8())
  return r.overran ? '' : textFrom(text)
}
