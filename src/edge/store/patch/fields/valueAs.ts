// As what does a shape treat a value? As a map, a list or a scalar, whichever it allows.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { isRecord } from '../../../kube/decode/fields.ts'
import type { Shape } from './shape.ts'

type As = 'map' | 'scalar' | 'list'

/** For null, or a value that the shape does not allow, the first type that it allows. */
export function valueAs(shape: Shape, value: unknown): As {
  const own = isRecord(value) ? 'map' : Array.isArray(value) ? 'list' : 'scalar'
  if (value !== null && shape[own] !== undefined) return own
  if (shape.map !== undefined) return 'map'
  return shape.scalar !== undefined ? 'scalar' : 'list'
}

/** Undefined for an absent value. Two values of different types are treated as both. */
export function pairAs(shape: Shape, before: unknown, after: unknown): readonly As[] {
  if (after === undefined) return [valueAs(shape, before)]
  const last = valueAs(shape, after)
  const first = before === undefined ? last : valueAs(shape, before)
  return first === last ? [last] : [first, last]
}

export const mapIn = (value: unknown): JsonObject => (isRecord(value) ? value : {})
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const isVoid = (container: JsonObject | readonly unknown[]): boolean =>
  (Array.isArray(container) ? container : Object.keys(container)).length === 0
