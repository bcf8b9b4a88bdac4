// BFD control packet, RFC 5880 §4.1; the refusals are §6.8.6, in its order.
//   |Vers |  Diag   |Sta|P|F|C|A|D|M|  Detect Mult  |    Length     |
//   | My Discriminator | Your Discriminator | Desired Min TX | Required Min RX | Min Echo RX |
import { counted } from '../net/counted.ts'
import { type Decoded, malformed, Reader } from './reader.ts'
import { Writer } from './writer.ts'

const states = ['AdminDown', 'Down', 'Init', 'Up'] as const
export type State = (typeof states)[number]

/** Why a session left Up, in the words of the IANA registry; others may come. */
export const diagnostics = [
  ...['No Diagnostic', 'Control Detection Time Expired', 'Echo Function Failed'],
  ...['Neighbor Signaled Session Down', 'Forwarding Plane Reset', 'Path Down'],
  ...['Concatenated Path Down', 'Administratively Down', 'Reverse Concatenated Path Down'],
] as const

export type Control = {
  /** A number: an index of `diagnostics`, or one that is not known here. */
  readonly diagnostic: number
  readonly state: State
  readonly isPoll: boolean
  readonly isFinal: boolean
  /** The sender wants no periodic packets while both are up (§6.6). */
  readonly isDemand: boolean
  readonly multiplier: number
  readonly mine: number
  readonly yours: number
  readonly minTxMicros: number
  readonly minRxMicros: number
  readonly minEchoRxMicros: number
}

const bits = { poll: 32, final: 16, authenticated: 4, demand: 2, multipoint: 1 } as const
const [leastBytes, leastAuthenticatedBytes] = [24, 26] as const

export function decodeControl(bytes: Uint8Array): Decoded<Control> {
  const r = new Reader(bytes)
  const [first, flags, multiplier, length] = [r.u8(), r.u8(), r.u8(), r.u8()]
  const [mine, yours, minTxMicros, minRxMicros] = [r.u32(), r.u32(), r.u32(), r.u32()]
  const minEchoRxMicros = r.u32()
  const has = (bit: number): boolean => (flags & bit) !== 0
  const state = states[flags >> 6] as State
  const least = has(bits.authenticated) ? leastAuthenticatedBytes : leastBytes
  const isCut = r.overran || length < least || length > bytes.length
  if (first >> 5 !== 1) return malformed(`version ${first >> 5}`)
  if (isCut) return malformed(`length ${length} in ${counted(bytes.length, 'byte')}`)
  if (multiplier === 0) return malformed('detect multiplier 0')
  if (has(bits.multipoint)) return malformed('multipoint bit set')
  if (mine === 0) return malformed('my discriminator 0')
  if (yours === 0 && (state === 'Init' || state === 'Up')) {
    return malformed(`your discriminator 0 while ${state}`)
  }
  // No session of ours uses authentication.
  if (has(bits.authenticated)) return malformed('authenticated')
  const value = {
    diagnostic: first & 31,
    state,
    isPoll: has(bits.poll),
    isFinal: has(bits.final),
    isDemand: has(bits.demand),
    ...{ multiplier, mine, yours, minTxMicros, minRxMicros, minEchoRxMicros },
  }
  return { ok: true, value }
}

export function encodeControl(control: Control): Uint8Array {
  const flags =
    (states.indexOf(control.state) << 6) |
    (control.isPoll ? bits.poll : 0) |
    (control.isFinal ? bits.final : 0) |
    (control.isDemand ? bits.demand : 0)
  return new Writer(leastBytes)
    .u8((1 << 5) | control.diagnostic)
    .u8(flags)
    .u8(control.multiplier)
    .u8(leastBytes)
    .u32(control.mine)
    .u32(control.yours)
    .u32(control.minTxMicros)
    .u32(control.minRxMicros)
    .u32(control.minEchoRxMicros)
    .done()
}
