// Does an object fit its structural schema, and what is it once pruned and defaulted?
// Order and messages are those of Kubernetes 1.36: prune, default, validate, then list keys.
import type { FieldError } from '../../../core/model/admission.ts'
import { checkValue, mostErrors } from './schemaCheck.ts'
import { withDefaults } from './schemaDefault.ts'
import { checkLists } from './schemaLists.ts'
import { prune } from './schemaPrune.ts'

type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'

/** The keywords of a structural schema (JSONSchemaProps); CEL rules are kept, not evaluated. */
export type Schema = {
  readonly type?: SchemaType
  readonly description?: string
  readonly format?: string
  readonly nullable?: boolean
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-patch-merge-key'?: string
  /** One or two of merge, replace and retainKeys, separated by a comma. */
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-validations'?: readonly Rule[]
}
export type Rule = { readonly rule: string; readonly message?: string }

type Walked = {
  /** Pruned and defaulted. */
  readonly value: unknown
  /** Read as `path: message`, for instance `spec.addresses: Required value`. */
  readonly errors: readonly FieldError[]
  /** Sorted paths of pruned fields: `unknown field "spec.foo"`. */
  readonly unknownFields: readonly string[]
}

/** Never changes json; unchanged parts are shared with it. */
export function walkSchema(schema: Schema, json: unknown): Walked {
  const pruned = prune(schema, json)
  const value = withDefaults(schema, pruned.value)
  const errors = [...checkValue(schema, value, ''), ...checkLists(schema, value, '')]
  const unknownFields = [...pruned.unknownFields].sort().slice(0, mostErrors)
  return { value, errors: withoutRepeats(errors).slice(0, mostErrors), unknownFields }
}

/** Drops errors that allOf repeats. */
function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length < 2) return errors
  return [...new Map(errors.map((error) => [`${error.path}: ${error.message}`, error])).values()]
}
