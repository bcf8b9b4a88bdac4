// What is in a field of a JSON value? Something empty if it is missing or of another type.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'

export const recordOf = (value: unknown): JsonObject => (isRecord(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const metaOf = (object: JsonObject): JsonObject => recordOf(object['metadata'])

/** Only the items of that type. */
export const recordsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isRecord)
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((item) => typeof item === 'string')
