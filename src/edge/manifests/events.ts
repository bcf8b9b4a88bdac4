// Where does a parser event stand, and which event does an alias stand for?
import { EVENT_ID, type Event, YAMLException } from 'js-yaml'
import { maxAliases } from './limits.ts'

/** An event's offset in the text; -1 for a value that is left out. */
export function offsetOf(event: Event | undefined): number {
  if (!event) return -1
  if ('start' in event) return event.start
  if ('valueStart' in event) return event.valueStart
  return 'anchorStart' in event ? event.anchorStart : -1
}

/** Thrown as the parser throws, so that one catch sees both. */
export function refuse(text: string, event: Event, why: string): never {
  return YAMLException.throwAt(text, Math.max(0, offsetOf(event)), why)
}

/** For each alias the index of the event it stands for: the last anchor of its name before it. */
export function anchors(text: string, events: readonly Event[]): ReadonlyMap<Event, number> {
  const anchored = new Map<Event, number>()
  if (!text.includes('*')) return anchored
  const latest = new Map<string, number>()
  for (const [at, event] of events.entries()) {
    if (!('anchorStart' in event) || event.anchorStart < 0) continue
    const name = text.slice(event.anchorStart, event.anchorEnd)
    if (event.type !== EVENT_ID.ALIAS) {
      latest.set(name, at)
      continue
    }
    const target = latest.get(name)
    if (target === undefined) refuse(text, event, `alias *${name} has no anchor before it`)
    if (anchored.size === maxAliases) refuse(text, event, `more than ${maxAliases} aliases`)
    anchored.set(event, target)
  }
  return anchored
}
