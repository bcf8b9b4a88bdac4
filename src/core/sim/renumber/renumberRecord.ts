// What was there before a renumbering began? Written into the object with the first change to it
// and removed with the last, so that whoever runs the command again, or its reverse, knows.
import { isRecord, type Json, textAt } from '../../model/json.ts'
import { prefixText } from '../../net/range.ts'
import { annotationsOf, withAnnotations } from './renumberAnnotations.ts'
import type { Refused } from './renumberWrite.ts'
import { type Shift, shiftedIps, shiftOf } from './shift.ts'

const annotation = 'berth.dev/renumbering'

type Origin = Json & { readonly from: string; readonly to: string }

export function originOf(json: Json): Origin | undefined {
  const text = annotationsOf(json)[annotation]
  if (typeof text !== 'string') return undefined
  const read = parsedJson(text)
  const { from, to } = read
  return { ...read, from: String(from), to: String(to) }
}

/**
 * Whether a Service can have been where its record says, or be on its way from there: whoever owns
 * it can write one, and would be given what another Service holds.
 */
export function canBeTrue(json: Json, ips: string, isFree: (ip: string) => boolean): boolean {
  const origin = originOf(json)
  if (origin === undefined) return true
  const shift = shiftOf(origin.from, origin.to)
  if (!shift.ok) return false
  const was = textAt(origin, 'ips')
  const places = [was, shiftedIps(shift.value, was)]
  if (places.includes(ips)) return true
  const held = ips.split(',').filter((ip) => ip !== '')
  const all = places.flatMap((place) => place.split(','))
  return all.every((ip) => held.includes(ip) || isFree(ip)) && held.every((ip) => all.includes(ip))
}

/** What is recorded already stays. */
export const recorded = (shift: Shift, json: Json, was: Json): Json =>
  originOf(json) === undefined
    ? withAnnotations(json, { [annotation]: JSON.stringify({ ...nameOf(shift), ...was }) })
    : json

export const unrecorded = (json: Json): Json => withAnnotations(json, { [annotation]: undefined })

/** Whether this renumbering takes that one back: then everything is as it was, not moved again. */
export const takesBack = ({ from }: Shift, origin: Origin): boolean =>
  origin.to === prefixText(from)

/** The recorded goal. */
export const inTheEnd = (shift: Shift, origin: Origin, text: string): string =>
  takesBack(shift, origin) ? text : shiftedIps(shift, text)

/** One renumbering at a time. */
export function unfinished(shift: Shift, id: string, json: Json): readonly Refused[] {
  const origin = originOf(json)
  if (origin === undefined) return []
  const { from, to } = nameOf(shift)
  if (origin.from === from && origin.to === to) return []
  if (origin.from === to && origin.to === from) return []
  const [there, back] = [`${origin.from} ${origin.to}`, `${origin.to} ${origin.from}`]
  const message =
    `the renumbering from ${origin.from} to ${origin.to} is not finished: ` +
    `'berth renumber ${there}' goes on, 'berth renumber ${back}' takes it back`
  return [{ id, path: 'metadata.annotations', message }]
}

const nameOf = ({ from, to }: Shift) => ({ from: prefixText(from), to: prefixText(to) })

function parsedJson(text: string): Json {
  try {
    const read: unknown = JSON.parse(text)
    return isRecord(read) ? read : {}
  } catch {
    return {}
  }
}
