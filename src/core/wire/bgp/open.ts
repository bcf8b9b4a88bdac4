// OPEN, RFC 4271 §4.2; the refusals are §6.2, in its order. Long parameters: RFC 9072.
//   | version 1 | AS 2 | hold time 2 | identifier 4 | length 1 | type 1, length 1, value | ...
import type { Ip } from '../../net/ip.ts'
import { ipFrom, ipOctets } from '../../net/octets.ts'
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import { type Capabilities, decodeCapabilities, encodeCapabilities } from './capabilities.ts'
import { encodeMessage } from './header.ts'
import { type Read, refused } from './notice.ts'

export type Open = {
  readonly asn: number
  readonly holdSeconds: number
  readonly routerId: Ip
  readonly capabilities: Capabilities
}

/** What stands for an AS number that two octets cannot hold (RFC 6793). */
export const asTrans = 23456
const [version, capabilitiesType, extendedType] = [4, 2, 255] as const
const malformed = refused(2, 0)

export function decodeOpen(body: Uint8Array): Read<Open> {
  const r = new Reader(body)
  const [offered, shortAsn, holdSeconds, id] = [r.u8(), r.u16(), r.u16(), ipFrom(r.bytes(4))]
  if (offered !== version) return refused(2, 1, new Writer(2).u16(version).done())
  const parameters = parametersIn(r)
  if (!parameters.ok) return parameters
  const capabilities = decodeCapabilities(new Reader(parameters.value))
  if (capabilities === undefined) return malformed
  const asn = capabilities.asn ?? shortAsn
  // AS 0 is nobody's (RFC 7607), and an identifier is not zero (RFC 6286).
  if (asn === 0) return refused(2, 2)
  if (holdSeconds === 1 || holdSeconds === 2) return refused(2, 6)
  if (id === '0.0.0.0') return refused(2, 3)
  return { ok: true, value: { asn, holdSeconds, routerId: id, capabilities } }
}

/** The capabilities of all parameters, one behind the other. */
function parametersIn(r: Reader): Read<Uint8Array> {
  const short = r.u8()
  const isLong = short === 255 && r.peek() === extendedType
  if (isLong) r.u8()
  const length = isLong ? r.u16() : short
  const inner = r.within(length)
  if (r.overran || r.left > 0) return malformed
  const all = new Writer(64)
  while (inner.left > 0) {
    const type = inner.u8()
    const value = inner.bytes(isLong ? inner.u16() : inner.u8())
    if (inner.overran) return malformed
    if (type !== capabilitiesType) return refused(2, 4)
    all.bytes(value)
  }
  return { ok: true, value: all.done() }
}

type Offered = Omit<Open, 'capabilities'> & {
  readonly capabilities: Omit<Capabilities, 'others'>
}

/** One parameter for each capability, as routers do it that knew only one. */
export function encodeOpen({ asn, holdSeconds, routerId, capabilities }: Offered): Uint8Array {
  const offered = encodeCapabilities(capabilities)
  const parameters = new Writer(64)
  const r = new Reader(offered)
  while (r.left > 0) {
    const [code, value] = [r.u8(), r.bytes(r.u8())]
    parameters.u8(capabilitiesType).u8(value.length + 2)
    parameters.u8(code).u8(value.length).bytes(value)
  }
  const body = new Writer(64)
    .u8(version)
    .u16(asn > 0xffff ? asTrans : asn)
    .u16(holdSeconds)
    .bytes(ipOctets(routerId))
    .u8(parameters.length)
    .bytes(parameters.done())
  return encodeMessage('OPEN', body.done())
}
