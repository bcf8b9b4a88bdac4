// Which parts are the schemas built from that have no CRD of ours? Unknown fields are kept.
import type { Schema } from './schema.ts'

export type KnownKind = {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly schema: Schema
}
type Properties = Readonly<Record<string, Schema>>

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }

export const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words })
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })

export const open = (properties: Properties, required: readonly string[] = []): Schema => ({
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties,
  required,
})
