// How is the table of a kind made? Column headings, and the cells of an object.
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'

export type Cell = string | number | boolean | null

export type Heading = {
  readonly name: string
  /** The field that it shows, whose description it takes; otherwise it has its own. */
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
  /** Undefined without row conditions. */
  readonly conditions?: (object: JsonObject) => readonly RowCondition[] | undefined
}

export const nameHeading: Heading = { name: 'Name', of: 'metadata.name', format: 'name' }
export const ageHeading: Heading = { name: 'Age', of: 'metadata.creationTimestamp' }

/** Reads fields that may be missing. */
export const fieldsOf = (object: JsonObject): Fields => new Fields(object, [])
