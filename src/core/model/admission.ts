// What does admission answer, and what does it ask of policy? Paths and words as Kubernetes has them.
import type { View } from './view.ts'
import type { ReadonlyWorld } from './world.ts'

/** The path is empty when the object as a whole is refused. */
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

export const invalid = (path: string, value: unknown, why: string): FieldError => ({
  path,
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
})
/** Where the parser has said what the text is and why it cannot be read. */
export const unreadable = (path: string, why: string): FieldError => ({
  path,
  message: `Invalid value: ${why}`,
})
export const required = (path: string, why: string): FieldError => ({
  path,
  message: `Required value: ${why}`,
})
/** For what a field may not be beside other fields or objects. */
export const forbidden = (path: string, why: string): FieldError => ({
  path,
  message: `Forbidden: ${why}`,
})
