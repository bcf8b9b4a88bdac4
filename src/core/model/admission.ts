// What does admission answer, and what does it ask of policy? Whether an object may be, or may go.
import type { View } from './view.ts'
import type { ReadonlyWorld } from './world.ts'

/** Read as `path: message`; the path is empty when the object as a whole is refused. */
export type FieldError = { readonly path: string; readonly message: string }

/** Under frr, peers are checked against what one FRR process on a node can hold (M8.1 rule 28). */
export type BgpMode = 'native' | 'frr'

export type Proposed = {
  readonly view: View
  readonly before: View | undefined
  readonly bgpMode: BgpMode
}
export type Check = (world: ReadonlyWorld, proposed: Proposed) => readonly FieldError[]
export type CheckDelete = (world: ReadonlyWorld, view: View) => readonly FieldError[]

/** An object as it would be written, or that would be deleted. */
export type Intended = { readonly view: View; readonly isGone: boolean }
/** What whoever does it should know before it happens. */
export type Foresee = (world: ReadonlyWorld, intended: Intended) => readonly string[]
