// UPDATE, RFC 4271 §4.3; the refusals are RFC 7606's, which end the session only where they must.
//   | length 2 | withdrawn prefixes | length 2 | path attributes | prefixes |
import type { Family, Ip } from '../../net/ip.ts'
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'
import {
  type AttributeContext,
  type Attributes,
  decodeAttributes,
  type ReadAttributes,
  reachType,
  unreachType,
} from './attributes.ts'
import { writeHeader } from './header.ts'
import { type Read, refused } from './notice.ts'
import { checkPrefixes, type PrefixBytes, writePrefixes } from './prefixes.ts'
import { type ReadReach, writeReachHead, writeUnreachHead } from './reach.ts'

export type Update = {
  readonly announced: readonly PrefixBytes[]
  readonly withdrawn: readonly PrefixBytes[]
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
  const withdrawn = checkPrefixes(gone, 'IPv4')
  const announced = checkPrefixes(r, 'IPv4')
  if (withdrawn === undefined || announced === undefined) return refused(3, 10)
  const read = decodeAttributes(inner, context)
  if (!read.ok) return read
  const { attributes, reach, unreach, discarded } = read.value
  const hasAnnounced = announced.bytes.length > 0
  const routes = {
    announced: [announced, ...prefixesOf(reach)],
    withdrawn: [withdrawn, ...prefixesOf(unreach)],
  }
  const errors = [...read.value.withdrawn, ...missing(read.value, hasAnnounced)]
  const nextHops = isReach(reach) ? reach.nextHops : []
  const isEmpty = [...routes.announced, ...routes.withdrawn].every(
    ({ bytes }) => bytes.length === 0,
  )
  const endOf = isBare ? 'IPv4' : isEmpty ? endIn(read.value) : undefined
  const rest = { nextHops, endOf, errors, discarded }
  if (errors.length === 0) return { ok: true, value: { ...routes, attributes, ...rest } }
  const all = [...routes.withdrawn, ...routes.announced]
  return { ok: true, value: { announced: [], withdrawn: all, attributes: {}, ...rest } }
}

const isReach = (read: ReadReach | undefined) => typeof read === 'object'
const prefixesOf = (read: ReadReach | undefined): readonly PrefixBytes[] =>
  typeof read === 'object' ? [read.prefixes] : []

/** Well-known and mandatory (RFC 7606 §3 d). */
function missing({ attributes, reach }: ReadAttributes, hasAnnounced: boolean): readonly string[] {
  if (!hasAnnounced && reach === undefined) return []
  const { origin, asPath, nextHop } = attributes
  return [
    ...(origin === undefined ? ['ORIGIN is missing'] : []),
    ...(asPath === undefined ? ['AS_PATH is missing'] : []),
    ...(hasAnnounced && nextHop === undefined ? ['NEXT_HOP is missing'] : []),
  ]
}

/** Nothing but the head of an MP_UNREACH_NLRI. */
function endIn({ attributes, reach, unreach }: ReadAttributes): Family | undefined {
  const isAlone = Object.keys(attributes).length === 0 && reach === undefined
  return isAlone && typeof unreach === 'object' ? unreach.family : undefined
}

type Routes = {
  readonly family: Family
  /** Canonical. */
  readonly prefixes: readonly string[]
  /** Of IPv6, which IPv4 may have too: of its own, behind which the one on the link may stand. */
  readonly nextHops: readonly Ip[]
  /** Writes the attributes. */
  readonly write: (w: Writer) => void
  /** The next hop is among the attributes. */
  readonly isPlain: boolean
}

/**
 * As few messages as hold them all; MP_REACH_NLRI stands first (RFC 7606 §5.1). False, and nothing,
 * where the attributes leave no room for a prefix.
 */
export function writeRoutes(w: Writer, routes: Routes, mostBytes: number): boolean {
  const { family, prefixes, write, isPlain, nextHops } = routes
  const behind = isPlain ? undefined : written(write)
  for (let from = 0; from < prefixes.length; ) {
    const start = beginUpdate(w)
    const end = start + mostBytes - (behind?.length ?? 0)
    w.u16(0)
    const inner = beginLength(w)
    if (behind === undefined) {
      write(w)
      endLength(w, inner)
    }
    const reach = behind && beginLength(w.u8(longOptional).u8(reachType))
    if (reach !== undefined) writeReachHead(w, family, nextHops)
    if (w.length + longestPrefix[family] > end) {
      w.cutTo(start)
      return false
    }
    from = writePrefixes(w, prefixes, { from, end })
    if (behind !== undefined && reach !== undefined) {
      endLength(w, reach)
      endLength(w.bytes(behind), inner)
    }
    endUpdate(w, start)
  }
  return true
}

export function writeWithdrawn(
  w: Writer,
  { family, prefixes }: Pick<Routes, 'family' | 'prefixes'>,
  { mostBytes }: { readonly mostBytes: number },
): void {
  for (let from = 0; from < prefixes.length; ) {
    const start = beginUpdate(w)
    const end = start + mostBytes
    if (family === 'IPv4') {
      const gone = beginLength(w)
      // No attributes stand behind them.
      from = writePrefixes(w, prefixes, { from, end: end - 2 })
      endLength(w, gone)
      w.u16(0)
    } else {
      const inner = beginLength(w.u16(0))
      const unreach = beginLength(w.u8(longOptional).u8(unreachType))
      writeUnreachHead(w, family)
      from = writePrefixes(w, prefixes, { from, end })
      endLength(w, unreach)
      endLength(w, inner)
    }
    endUpdate(w, start)
  }
}

export function encodeEndOfRib(family: Family): Uint8Array {
  const w = new Writer(32)
  const start = beginUpdate(w)
  const inner = beginLength(w.u16(0))
  if (family !== 'IPv4') {
    const unreach = beginLength(w.u8(longOptional).u8(unreachType))
    writeUnreachHead(w, family)
    endLength(w, unreach)
  }
  endLength(w, inner)
  endUpdate(w, start)
  return w.done()
}

/** With the octet of its length. */
const longestPrefix: Readonly<Record<Family, number>> = { IPv4: 5, IPv6: 17 }
/** Optional, and its length in two octets. */
const longOptional = 0x90

function written(write: (w: Writer) => void): Uint8Array {
  const w = new Writer(64)
  write(w)
  return w.done()
}

/** Where it begins. */
function beginUpdate(w: Writer): number {
  const start = w.length
  writeHeader(w, 'UPDATE', 0)
  return start
}

/** The length of a message stands behind its marker. */
const endUpdate = (w: Writer, start: number): void => {
  w.setU16(start + 16, w.length - start)
}

/** Of what follows; where it stands. */
function beginLength(w: Writer): number {
  w.u16(0)
  return w.length - 2
}

const endLength = (w: Writer, at: number): void => {
  w.setU16(at, w.length - at - 2)
}
