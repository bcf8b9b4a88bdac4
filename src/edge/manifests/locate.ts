// Where does a field stand? Follows a path such as spec.addresses[1] through the parser's events.
import { EVENT_ID, type Event, getScalarValue } from 'js-yaml'
import { anchors, offsetOf } from './events.ts'

/** A node by the place of its event, and the offset to show for it: its key's, when it has one. */
export type Spot = { readonly at: number; readonly offset: number }

type Parsed = { readonly text: string; readonly events: readonly Event[] }

/** The field at the path below a node, or its nearest parent that is there. */
export function locate(parsed: Parsed, from: Spot, path: string): Spot {
  const { text, events } = parsed
  const anchored = anchorsOnce(text, events)
  let spot = followed(events, anchored, from)
  for (let rest = path; rest !== ''; ) {
    const step = stepInto(parsed, spot, rest)
    if (!step) break
    spot = followed(events, anchored, step.spot)
    rest = step.rest
  }
  return spot
}

/** The items of a list, in order. */
export function elements(events: readonly Event[], list: Spot): Spot[] {
  const spots: Spot[] = []
  if (events[list.at]?.type !== EVENT_ID.SEQUENCE) return spots
  for (let at = list.at + 1; !isPop(events[at]); at = afterNode(events, at)) {
    spots.push({ at, offset: offsetAt(events, at, list.offset) })
  }
  return spots
}

const isPop = (event: Event | undefined): boolean => !event || event.type === EVENT_ID.POP

function offsetAt(events: readonly Event[], at: number, otherwise: number): number {
  const offset = offsetOf(events[at])
  return offset < 0 ? otherwise : offset
}

/** What an alias stands for is elsewhere; the place to show stays where the alias is. */
function followed(
  events: readonly Event[],
  anchored: ReadonlyMap<Event, number>,
  spot: Spot,
): Spot {
  const event = events[spot.at]
  return { at: (event && anchored.get(event)) ?? spot.at, offset: spot.offset }
}

type Step = { readonly spot: Spot; readonly rest: string }

function stepInto(parsed: Parsed, spot: Spot, path: string): Step | undefined {
  const { events } = parsed
  const [head, index] = /^\[(\d+)\]/.exec(path) ?? []
  if (head !== undefined && events[spot.at]?.type === EVENT_ID.SEQUENCE) {
    const item = elements(events, spot)[Number(index)]
    return item && { spot: item, rest: path.slice(head.length) }
  }
  return events[spot.at]?.type === EVENT_ID.MAPPING ? field(parsed, spot, path) : undefined
}

/** Keys may hold dots (berth.dev/serves): of the keys that begin the path the longest is meant. */
function field({ text, events }: Parsed, spot: Spot, path: string): Step | undefined {
  let best: Step | undefined
  for (let at = spot.at + 1; !isPop(events[at]); ) {
    const key = events[at]
    const value = afterNode(events, at)
    const name = key?.type === EVENT_ID.SCALAR ? getScalarValue(text, key) : undefined
    const rest = name === undefined ? undefined : restAfter(path, name)
    if (rest !== undefined && (!best || rest.length < best.rest.length)) {
      best = { spot: { at: value, offset: offsetAt(events, at, spot.offset) }, rest }
    }
    at = afterNode(events, value)
  }
  return best
}

function restAfter(path: string, name: string): string | undefined {
  const bare = path.startsWith('.') ? path.slice(1) : path
  if (bare.startsWith(`[${name}]`)) return bare.slice(name.length + 2)
  if (!bare.startsWith(name)) return undefined
  const rest = bare.slice(name.length)
  return rest === '' || rest.startsWith('.') || rest.startsWith('[') ? rest : undefined
}

function afterNode(events: readonly Event[], from: number): number {
  let at = from
  let open = 0
  do {
    const type = events[at]?.type ?? EVENT_ID.POP
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) open++
    if (type === EVENT_ID.POP) open--
    at++
  } while (open > 0)
  return at
}

const known = new WeakMap<readonly Event[], ReadonlyMap<Event, number>>()

/** Asked for again for every finding of a long list: worked out once for its events. */
function anchorsOnce(text: string, events: readonly Event[]): ReadonlyMap<Event, number> {
  const anchored = known.get(events) ?? anchors(text, events)
  known.set(events, anchored)
  return anchored
}
