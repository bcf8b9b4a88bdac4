// Which fields does a manager own? A tree: each node says whether it is owned itself and has the
// owned nodes below it. Nodes are named as in FieldsV1 (pathElement.ts); none is empty.
import { fieldElement } from './pathElement.ts'

export type FieldSet = {
  readonly isOwned: boolean
  readonly under: ReadonlyMap<string, FieldSet>
}

export const nothing: FieldSet = { isOwned: false, under: new Map() }
export const owned: FieldSet = { isOwned: true, under: nothing.under }

/** One field, by the names on its path. */
export const fieldAt = (...names: readonly string[]): FieldSet =>
  names.reduceRight<FieldSet>(
    (inside, name) => ({ isOwned: false, under: new Map([[fieldElement(name), inside]]) }),
    owned,
  )

export const isEmpty = ({ isOwned, under }: FieldSet): boolean => !isOwned && under.size === 0
