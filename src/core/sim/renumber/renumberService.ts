// How does a Service move with its prefix, once and to the same offset? Whoever holds an address is
// pinned to it while ranges change, and asks again for what it asked before at the end.
import { type Json, recordAt, textAt } from '../../model/json.ts'
import { annotationsOf, withAnnotations } from './renumberAnnotations.ts'
import { inTheEnd, originOf, recorded, unrecorded } from './renumberRecord.ts'
import { poolMark } from './renumberSeen.ts'
import type { RenumberWrite } from './renumberWrite.ts'
import { type Shift, shiftedIps } from './shift.ts'

const newer = 'metallb.io/loadBalancerIPs'
const older = 'metallb.universe.tf/loadBalancerIPs'

export type Held = {
  readonly id: string
  readonly json: Json
  /** With commas; empty if it holds none. */
  readonly ips: string
  /** Where it was when the renumbering began. */
  readonly was: string
  /** Where it ends up. */
  readonly target: string
  readonly tenant: string
}

/** `was` and `target` of a Service that holds these. */
export function placesOf(shift: Shift, json: Json, ips: string): Pick<Held, 'was' | 'target'> {
  const origin = originOf(json)
  if (origin === undefined) return { was: ips, target: shiftedIps(shift, ips) }
  const was = textAt(origin, 'ips')
  return { was, target: inTheEnd(shift, origin, was) }
}

/** By field where it asks by field, else by annotation. What it asked before is recorded. */
export const pinnedTo = (shift: Shift, { id, was }: Held, ips: string): RenumberWrite => ({
  id,
  what: `pinned to ${ips}`,
  change(before) {
    if (before === undefined) return undefined
    const kept = recorded(shift, before, { ips: was, asked: pinOf(before) })
    return withAnnotations(withPin(kept, ips), { [poolMark]: undefined })
  },
})

/** As it asked before, moved. What somebody else has written since counts instead. */
export function askingAgain(shift: Shift, { id, json, target }: Held): RenumberWrite {
  const change = (before: Json): Json => {
    const origin = originOf(before)
    const pin = pinOf(before)
    const isOurs = origin !== undefined && pin === target
    const asked = isOurs ? inTheEnd(shift, origin, textAt(origin, 'asked')) : shiftedIps(shift, pin)
    const old = annotationsOf(before)[older]
    const texts = typeof old === 'string' ? { [older]: shiftedIps(shift, old) } : {}
    return withAnnotations(unrecorded(withPin(before, asked)), texts)
  }
  const asked = askedBy(change(json))
  const what = asked === '' ? 'no longer pinned' : `asks for ${asked}`
  return { id, what, change: (before) => before && change(before) }
}

/** Whether it asks for an address that moves. */
export const asksInside = (shift: Shift, json: Json): boolean => {
  const texts = [annotationsOf(json)[older], pinOf(json)]
  return texts.some((text) => typeof text === 'string' && shiftedIps(shift, text) !== text)
}

/** Where we pin, and what stands there; the older annotation is never ours. */
const fieldOf = (json: Json): string => textAt(recordAt(json, 'spec'), 'loadBalancerIP')
const pinOf = (json: Json): string => fieldOf(json) || textAt(annotationsOf(json), newer)
const askedBy = (json: Json): string => pinOf(json) || textAt(annotationsOf(json), older)

function withPin(json: Json, ips: string): Json {
  const spec = recordAt(json, 'spec')
  if (pinOf(json) === ips) return json
  const isByField = fieldOf(json) !== ''
  if (isByField) return { ...json, spec: { ...spec, loadBalancerIP: ips } }
  return withAnnotations(json, { [newer]: ips === '' ? undefined : ips })
}
