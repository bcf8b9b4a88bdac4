// Where are the items of a list? Located in its bytes, so that each one is parsed, used and dropped
// by itself; a list parsed as a whole would stay in memory as a whole.
import { parse } from './answer.ts'

type ListText = {
  /** The list without its items. */
  readonly head: unknown
  readonly items: Iterable<unknown>
}

type Span = { readonly from: number; readonly to: number }

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d

/** Invalid JSON is detected when it is parsed. */
export function listIn(bytes: Buffer, request: string): ListText {
  const open = itemsAt(bytes)
  if (open < 0) return { head: parse(bytes.toString('utf8'), request), items: [] }
  const spans = membersOf(bytes, open)
  const close = spans.at(-1)?.to ?? bytes.length
  const around = bytes.toString('utf8', 0, open + 1) + bytes.toString('utf8', close)
  return { head: parse(around, request), items: itemsIn(bytes, spans, request) }
}

function* itemsIn(bytes: Buffer, spans: readonly Span[], request: string): Generator<unknown> {
  for (const { from, to } of spans) {
    const item = bytes.toString('utf8', from, to)
    const isNone = spans.length === 1 && item.trim() === ''
    if (!isNone) yield parse(item, request)
  }
}

/** The position of the opening bracket, or -1. */
function itemsAt(bytes: Buffer): number {
  for (const { from } of membersOf(bytes, bytes.indexOf('{'))) {
    const name = pastSpace(bytes, from)
    const colon = pastSpace(bytes, name + itemsName.length)
    const bracket = pastSpace(bytes, colon + 1)
    const isNamed = itemsName.every((byte, at) => bytes[name + at] === byte)
    if (isNamed && bytes[colon] === 0x3a && bytes[bracket] === 0x5b) return bracket
  }
  return -1
}

const itemsName = Buffer.from('"items"')

function pastSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++
  return at
}

/** The members of the object or array that opens there. */
function membersOf(bytes: Buffer, open: number): Span[] {
  const spans: Span[] = []
  for (let [from, isMore] = [open + 1, true]; isMore; ) {
    const to = endOfMember(bytes, from)
    spans.push({ from, to })
    isMore = bytes[to] === comma
    from = to + 1
  }
  return spans
}

/** All JSON syntax is single bytes that occur in no other UTF-8 character. */
function endOfMember(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) at = endOfString(bytes, at)
    else if (isOpening(byte)) depth++
    else if (depth === 0 && (byte === comma || isClosing(byte))) return at
    else if (isClosing(byte)) depth--
  }
  return bytes.length
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === quote) return at
  }
  return bytes.length
}
