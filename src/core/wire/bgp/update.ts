// UPDATE, RFC 4271 §4.3; the refusals are RFC 7606's, which end the session only where they must.
//   | length 2 | withdrawn prefixes | length 2 | path attributes | prefixes |
import type { Family, Ip } from '../../net/ip.ts'
import type { Prefix } from '../../net/range.ts'
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import type { AsSize } from './asPath.ts'
import {
  type AttributeContext,
  type Attributes,
  decodeAttributes,
  encodeAttributes,
  type ReadAttributes,
  reachType,
  unreachType,
} from './attributes.ts'
import { beginMessage, headerBytes } from './header.ts'
import { type Read, refused } from './notice.ts'
import { decodePrefixes } from './prefixes.ts'
import { encodeReachHead, encodeUnreachHead, type ReadReach } from './reach.ts'

export type Update = {
  readonly announced: readonly Prefix[]
  readonly withdrawn: readonly Prefix[]
  readonly attributes: Attributes
  readonly nextHops: readonly Ip[]
  /** All routes of the family have been sent once (RFC 4724 §2). */
  readonly endOf: Family | undefined
  /** Why what was announced counts as withdrawn instead; and what of it was left out. */
  readonly errors: readonly string[]
  readonly discarded: readonly string[]
}

export function decodeUpdate(body: Uint8Array, context: AttributeContext): Read<Update> {
  const r = new Reader(body)
  const gone = r.within(r.u16())
  const inner = r.within(r.u16())
  if (r.overran) return refused(3, 1)
  const isBare = gone.left === 0 && inner.left === 0 && r.left === 0
  const withdrawn = decodePrefixes(gone, 'IPv4')
  const announced = decodePrefixes(r, 'IPv4')
  if (withdrawn === undefined || announced === undefined) return refused(3, 10)
  const read = decodeAttributes(inner, context)
  if (!read.ok) return read
  const { attributes, reach, unreach, discarded } = read.value
  const routes = {
    announced: [...announced, ...prefixesOf(reach)],
    withdrawn: [...withdrawn, ...prefixesOf(unreach)],
  }
  const errors = [...read.value.withdrawn, ...missing(read.value, announced)]
  const nextHops = isReach(reach) ? reach.nextHops : []
  const endOf = isBare ? 'IPv4' : endIn(read.value, routes)
  if (errors.length === 0) {
    return { ok: true, value: { ...routes, attributes, nextHops, endOf, errors, discarded } }
  }
  const all = [...routes.withdrawn, ...routes.announced]
  const value = {
    announced: [],
    withdrawn: all,
    attributes: {},
    nextHops,
    endOf,
    errors,
    discarded,
  }
  return { ok: true, value }
}

const isReach = (read: ReadReach | undefined) => typeof read === 'object'
const prefixesOf = (read: ReadReach | undefined): readonly Prefix[] =>
  typeof read === 'object' ? read.prefixes : []

/** Well-known and mandatory (RFC 7606 §3 d). */
function missing(
  { attributes, reach }: ReadAttributes,
  announced: readonly Prefix[],
): readonly string[] {
  if (announced.length === 0 && reach === undefined) return []
  const { origin, asPath, nextHop } = attributes
  return [
    ...(origin === undefined ? ['ORIGIN is missing'] : []),
    ...(asPath === undefined ? ['AS_PATH is missing'] : []),
    ...(announced.length > 0 && nextHop === undefined ? ['NEXT_HOP is missing'] : []),
  ]
}

/** Nothing but the head of an MP_UNREACH_NLRI. */
function endIn(
  { attributes, reach, unreach }: ReadAttributes,
  { announced, withdrawn }: Pick<Update, 'announced' | 'withdrawn'>,
): Family | undefined {
  const isAlone = Object.keys(attributes).length === 0 && reach === undefined
  const isEmpty = announced.length === 0 && withdrawn.length === 0
  return isAlone && isEmpty && typeof unreach === 'object' ? unreach.family : undefined
}

type Packing = { readonly mostBytes: number; readonly asSize: AsSize }
type Announced = {
  readonly family: Family
  /** As they stand in a message. */
  readonly prefixes: readonly Uint8Array[]
  readonly attributes: Attributes
  /** Of IPv6, which IPv4 may have too: of its own, behind which the one on the link may stand. */
  readonly nextHops: readonly Ip[]
}

/** As few messages as hold them all; MP_REACH_NLRI stands first (RFC 7606 §5.1). */
export function encodeAnnounced(announced: Announced, packing: Packing): readonly Uint8Array[] {
  const { family, prefixes, nextHops } = announced
  const attributes = encodeAttributes(announced.attributes, packing.asSize)
  const room = packing.mostBytes - headerBytes - 4 - attributes.length
  if (announced.attributes.nextHop !== undefined) {
    return packed(prefixes, room).map((chunk) => update(nothing(), attributes, chunk))
  }
  const head = encodeReachHead(family, nextHops)
  return packed(prefixes, room - 4 - head.length).map((chunk) =>
    update(nothing(), multiprotocol(reachType, joined(head, chunk), attributes), nothing()),
  )
}

export function encodeWithdrawn(
  family: Family,
  prefixes: readonly Uint8Array[],
  { mostBytes }: Packing,
): readonly Uint8Array[] {
  const room = mostBytes - headerBytes - 4
  if (family === 'IPv4') {
    return packed(prefixes, room).map((chunk) => update(chunk, nothing(), nothing()))
  }
  const head = encodeUnreachHead(family)
  return packed(prefixes, room - 4 - head.length).map((chunk) =>
    update(nothing(), multiprotocol(unreachType, joined(head, chunk)), nothing()),
  )
}

export function encodeEndOfRib(family: Family): Uint8Array {
  if (family === 'IPv4') return update(nothing(), nothing(), nothing())
  const head = encodeUnreachHead(family)
  return update(nothing(), multiprotocol(unreachType, head), nothing())
}

const nothing = (): Uint8Array => new Uint8Array()
/** Optional, and its length in two octets. */
const longOptional = 0x90

function multiprotocol(type: number, value: Uint8Array, behind = nothing()): Uint8Array {
  const writer = new Writer(value.length + behind.length + 4)
  return writer.u8(longOptional).u8(type).u16(value.length).bytes(value).bytes(behind).done()
}

const joined = (head: Uint8Array, tail: Uint8Array): Uint8Array =>
  new Writer(head.length + tail.length).bytes(head).bytes(tail).done()

function update(gone: Uint8Array, attributes: Uint8Array, prefixes: Uint8Array): Uint8Array {
  const length = gone.length + attributes.length + prefixes.length + 4
  const writer = beginMessage('UPDATE', length)
  writer.u16(gone.length).bytes(gone).u16(attributes.length).bytes(attributes)
  return writer.bytes(prefixes).done()
}

const longestPrefixBytes = 17

function packed(prefixes: readonly Uint8Array[], room: number): readonly Uint8Array[] {
  const chunks: Uint8Array[] = []
  // Most routes with attributes of their own have a message of their own.
  const capacity = Math.min(room, 4096, prefixes.length * longestPrefixBytes)
  let writer = new Writer(capacity)
  for (const octets of prefixes) {
    if (writer.length + octets.length > room) {
      chunks.push(writer.done())
      writer = new Writer(capacity)
    }
    writer.bytes(octets)
  }
  if (writer.length > 0) chunks.push(writer.done())
  return chunks
}
