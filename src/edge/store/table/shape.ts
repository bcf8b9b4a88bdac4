// What does a kind show in a table? Headings, and what of an object goes below each of them.
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'

export type Cell = string | number | boolean | null

export type Heading = {
  readonly name: string
  /** The field it shows, whose description is its own; else it says what it shows itself. */
  readonly of?: string
  readonly description?: string
  readonly type?: string
  readonly format?: string
  /** Above 0: only in wide tables. */
  readonly priority?: number
}

export type RowCondition = {
  readonly type: 'Completed'
  readonly status: 'True'
  readonly reason: string
  readonly message: string
}

export type Shape = {
  readonly headings: readonly Heading[]
  readonly cells: (object: JsonObject, nowMs: number) => readonly Cell[]
  /** Undefined when there is nothing to say of the row as a whole. */
  readonly conditions?: (object: JsonObject) => readonly RowCondition[] | undefined
}

export const nameHeading: Heading = { name: 'Name', of: 'metadata.name', format: 'name' }
export const ageHeading: Heading = { name: 'Age', of: 'metadata.creationTimestamp' }

/** To read what may be missing. */
export const fieldsOf = (object: JsonObject): Fields => new Fields(object, [])
