// Which JSON value does kubectl see in a document? Parser events to a tree that shares nothing.
import {
  type AliasEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml'
import { anchors, refuse } from './events.ts'
import { maxDepth, maxDocumentBytes } from './limits.ts'
import { jsonOf, keyOf, plainScalar, type Scalar, taggedScalar } from './scalar.ts'

/** A value copied for an alias counts as this many bytes: 400,000 of them, kubectl's own bound. */
const copyBytes = maxDocumentBytes / 400_000

type Walk = {
  readonly text: string
  readonly events: readonly Event[]
  readonly anchored: ReadonlyMap<Event, number>
  /** The aliases being copied, one inside the other. */
  readonly open: Set<Event>
  at: number
  depth: number
  copiedBytes: number
  readonly letters: Letters
}

/** In a Scenario, which is ours, y and n are names; elsewhere they are booleans, as for kubectl. */
type Letters = 'booleans' | 'names'

/** The value of the node whose event has the given index. Throws YAMLException, as the parser. */
export function compose(
  text: string,
  events: readonly Event[],
  { at, letters }: { readonly at: number; readonly letters: Letters },
): unknown {
  const anchored = anchors(text, events)
  return node({ text, events, anchored, open: new Set(), at, depth: 0, copiedBytes: 0, letters })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const pop: Event = { type: EVENT_ID.POP }
const eventOf = (walk: Walk): Event => walk.events[walk.at] ?? pop

function node(walk: Walk): unknown {
  const event = eventOf(walk)
  if (event.type === EVENT_ID.ALIAS) return alias(walk, event)
  walk.at++
  if (event.type === EVENT_ID.SCALAR) return scalarValue(walk, event)
  charge(walk, event, 0)
  if (++walk.depth > maxDepth) refuse(walk.text, event, `nested deeper than ${maxDepth} levels`)
  const value = event.type === EVENT_ID.SEQUENCE ? sequence(walk) : mapping(walk)
  walk.depth--
  return value
}

/** Composed anew for each alias, so that no two places hold the same object. */
function alias(walk: Walk, event: AliasEvent): unknown {
  const after = walk.at + 1
  if (walk.open.has(event)) refuse(walk.text, event, 'an anchor that contains itself')
  walk.open.add(event)
  walk.at = walk.anchored.get(event) ?? walk.events.length
  const value = node(walk)
  walk.open.delete(event)
  walk.at = after
  return value
}

function charge(walk: Walk, event: Event, length: number): void {
  if (walk.open.size === 0) return
  walk.copiedBytes += copyBytes + length
  if (walk.copiedBytes <= maxDocumentBytes) return
  refuse(walk.text, event, 'aliases make the document too large')
}

function sequence(walk: Walk): unknown[] {
  const items: unknown[] = []
  while (eventOf(walk).type !== EVENT_ID.POP) items.push(node(walk))
  walk.at++
  return items
}

function mapping(walk: Walk): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  let merged: Set<string> | undefined
  for (let event = eventOf(walk); event.type !== EVENT_ID.POP; event = eventOf(walk)) {
    walk.at++
    if (isMerge(walk, event)) {
      merged ??= new Set()
      for (const [key, value] of mergedPairs(walk)) {
        assign(object, key, value)
        merged.add(key)
      }
      continue
    }
    const key = mappingKey(walk, event)
    if (Object.hasOwn(object, key) && !merged?.delete(key)) {
      refuse(walk.text, event, `key "${key}" is already set in this mapping`)
    }
    assign(object, key, node(walk))
  }
  walk.at++
  return object
}

/** Plain assignment of a key of this name would set the prototype instead. */
function assign(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { ...ordinary, value })
}

const ordinary = { enumerable: true, configurable: true, writable: true }

function mappingKey(walk: Walk, event: Event): string {
  const target = event.type === EVENT_ID.ALIAS ? walk.events[walk.anchored.get(event) ?? -1] : event
  if (target?.type !== EVENT_ID.SCALAR) {
    return refuse(walk.text, event, 'a key must be a single value: quote it if it is a template')
  }
  // In {a:} and [a:,] the parser sees the key a, but kubectl the text "a:".
  if (isPlain(event) && /^:[,[\]{}]/.test(walk.text.slice(event.valueEnd, event.valueEnd + 2))) {
    refuse(walk.text, event, 'a space is missing after the colon')
  }
  const key = keyOf(scalar(walk, target))
  if (key === undefined) return refuse(walk.text, event, 'neither null nor 2^63 can be a key')
  charge(walk, event, key.length)
  return key
}

function isPlain(event: Event): event is ScalarEvent {
  return event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN
}

function isMerge({ text }: Walk, event: Event): boolean {
  if (!isPlain(event) || event.tagStart >= 0) return false
  return text.slice(event.valueStart, event.valueEnd) === '<<'
}

/** As kubectl merges: over what stands before, under what follows; the first of several wins. */
function mergedPairs(walk: Walk): readonly (readonly [string, unknown])[] {
  const event = eventOf(walk)
  const value = node(walk)
  const sources = event.type === EVENT_ID.SEQUENCE && Array.isArray(value) ? value : [value]
  return sources.toReversed().flatMap((source: unknown) => {
    if (isObject(source)) return Object.entries(source)
    return refuse(walk.text, event, '<< takes a mapping or a list of mappings')
  })
}

function scalarValue(walk: Walk, event: ScalarEvent): unknown {
  const value = jsonOf(scalar(walk, event))
  if (value === undefined) return refuse(walk.text, event, 'JSON has no such number')
  charge(walk, event, typeof value === 'string' ? value.length : 0)
  return value
}

function scalar({ text, letters }: Walk, event: ScalarEvent): Scalar {
  const source = getScalarValue(text, event)
  if (letters === 'names' && event.tagStart < 0 && /^[yYnN]$/.test(source)) return source
  if (event.tagStart < 0) return event.style === SCALAR_STYLE.PLAIN ? plainScalar(source) : source
  const tag = text.slice(event.tagStart, event.tagEnd)
  const value = taggedScalar(tag, source)
  return value === undefined ? refuse(text, event, `"${source}" is not of the kind ${tag}`) : value
}
