// What is at some place of an object that was read as JSON? Something empty where it is not there.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'

export const recordOf = (value: unknown): JsonObject => (isRecord(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const metaOf = (object: JsonObject): JsonObject => recordOf(object['metadata'])

/** Those items that are of the type. */
export const recordsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isRecord)
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((item) => typeof item === 'string')
