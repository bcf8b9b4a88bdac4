// Is what should be made there? One answer for each object, and what stands in the way of it.
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ref } from '../../model/write.ts'
import { isNamespaced, keyOf, type MadeKind, makerOf } from './madeKinds.ts'

/** The first that applies is what the maker's condition says. */
export const states = ['NameTaken', 'Refused', 'NotServed', 'Waiting', 'Made'] as const

export type Standing = {
  readonly of: Ref
  readonly state: (typeof states)[number]
  /** Empty once it is made. */
  readonly message: string
}

export function standingOf(world: ReadonlyWorld, maker: string, of: Ref): Standing {
  const kind = of.kind as MadeKind
  const shown = world.all(kind).get(keyOf(of))
  if (!world.obstacles.isServed(kind)) {
    const message = `the API does not serve ${kind}: install the program that it comes with`
    return { of, state: 'NotServed', message }
  }
  if (shown !== undefined && makerOf(shown) !== maker) {
    return { of, state: 'NameTaken', message: `it was not made from ${maker}` }
  }
  const refusal = world.obstacles.refusalOf(of, maker)
  if (refusal !== undefined) return { of, state: 'Refused', message: refusal }
  if (shown !== undefined) return { of, state: 'Made', message: '' }
  const isHomeless = isNamespaced(kind) && !world.hasNamespace(of.namespace ?? '')
  const message = isHomeless ? `there is no namespace ${of.namespace} yet` : 'about to be made'
  return { of, state: 'Waiting', message }
}

/** Whether the API would take it. */
export function canBeWritten(world: ReadonlyWorld, { of, state }: Standing): boolean {
  if (state === 'NameTaken' || state === 'NotServed') return false
  return !isNamespaced(of.kind) || world.hasNamespace(of.namespace ?? '')
}
