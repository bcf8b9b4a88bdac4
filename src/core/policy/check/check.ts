// May this object be as proposed, or go, beside all that is there? Each kind that is judged has a
// row in checks.ts, always about the one object: what is wrong with others never stands in its way
// (P6).
import type { Check, CheckDelete, FieldError, Proposed } from '../../model/admission.ts'
import { errorText } from '../../model/fieldError.ts'
import type { View } from '../../model/view.ts'
import { checkMaker } from './checkMaker.ts'
import { checks, type KindCheck } from './checks.ts'

/** Of what somebody wants to write. */
export const check: Check = (world, proposed) =>
  news(proposed, (one) => {
    const errors = [...checkMaker(world, one.view, one.before), ...errorsIn(world, one)]
    return errors.length > 0 ? errors : misfits(world, one)
  })

/**
 * Of what the API holds already (R9.1): a Node, a profile or an advertisement that changed since
 * may contradict it, and that is a problem to report, not a reason to take it out of use.
 */
export const checkHeld: Check = (world, proposed) => news(proposed, (one) => errorsIn(world, one))

/** What was wrong before, since circumstances changed, does not keep it from changing otherwise. */
function news(
  proposed: Proposed,
  errorsOf: (proposed: Proposed) => readonly FieldError[],
): readonly FieldError[] {
  const errors = errorsOf(proposed)
  const { before } = proposed
  if (errors.length === 0 || before === undefined) return errors
  const earlier = errorsOf({ ...proposed, view: before, before: undefined })
  const known = new Set(earlier.map(errorText))
  return errors.filter((error) => !known.has(errorText(error)))
}

const byKind: ReadonlyMap<string, KindCheck<View>> = new Map(Object.entries(checks))

const checkOf = ({ kind }: View): KindCheck<View> | undefined => byKind.get(kind)

const errorsIn: Check = (world, { view, before }) =>
  checkOf(view)?.own(world, view, before?.kind === view.kind ? before : undefined) ?? []

const misfits: Check = (world, { view, bgpMode }) =>
  checkOf(view)?.fits?.(world, view, bgpMode) ?? []

export const checkDelete: CheckDelete = (world, view) =>
  checkOf(view)?.deletion?.(world, view) ?? []
