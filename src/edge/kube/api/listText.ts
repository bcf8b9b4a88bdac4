// Where are the items of a list? Found in its text, so that each is parsed, read and dropped by
// itself: what is parsed as a whole is kept as a whole, and long beyond its use.
import { parse } from './answer.ts'

export type ListText = {
  /** The list without its items. */
  readonly head: unknown
  readonly items: Iterable<unknown>
}

type Span = { readonly from: number; readonly to: number }

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const isOpening = (code: number): boolean => code === 0x7b || code === 0x5b
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d

/** Whatever is no JSON is found out where it is parsed. */
export function listIn(text: string, request: string): ListText {
  const open = itemsAt(text)
  if (open < 0) return { head: parse(text, request), items: [] }
  const spans = membersOf(text, open)
  const close = spans.at(-1)?.to ?? text.length
  const head = parse(text.slice(0, open + 1) + text.slice(close), request)
  return { head, items: itemsIn(text, spans, request) }
}

function* itemsIn(text: string, spans: readonly Span[], request: string): Generator<unknown> {
  for (const { from, to } of spans) {
    const item = text.slice(from, to)
    const isNone = spans.length === 1 && item.trim() === ''
    if (!isNone) yield parse(item, request)
  }
}

/** The bracket that opens them, or -1. */
function itemsAt(text: string): number {
  const items = /\s*"items"\s*:\s*\[/y
  for (const { from } of membersOf(text, text.indexOf('{'))) {
    items.lastIndex = from
    if (items.test(text)) return items.lastIndex - 1
  }
  return -1
}

/** Of the object or array that is opened there: what is between its commas. */
function membersOf(text: string, open: number): Span[] {
  const spans: Span[] = []
  for (let [from, isMore] = [open + 1, true]; isMore; ) {
    const to = endOfMember(text, from)
    spans.push({ from, to })
    isMore = text.charCodeAt(to) === comma
    from = to + 1
  }
  return spans
}

function endOfMember(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (isOpening(code)) depth++
    else if (depth === 0 && (code === comma || isClosing(code))) return at
    else if (isClosing(code)) depth--
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return text.length
}
