// Which strings and numbers violate their schema, and what type does a value have?
import { RE2JS } from 're2js'
import type { FieldError } from '../../../core/model/admission.ts'
import type { Schema } from './schema.ts'
import { composed, invalid, wrongType } from './schemaMessages.ts'
import { perNode } from './schemaNodes.ts'

/** One value on the walk; its problems are added to errors. */
export type Node = {
  readonly schema: Schema
  readonly value: unknown
  readonly path: string
  readonly errors: FieldError[]
}

/** The range of each integer format; any other format counts as int64. */
const int64 = { lowest: -(2 ** 63), highest: 2 ** 63 }
const integerFormats: ReadonlyMap<string, typeof int64> = new Map([
  ['int32', { lowest: -(2 ** 31), highest: 2 ** 31 - 1 }],
  ['int64', int64],
])

/** 2^63 counts as an int64, because JSON.parse turns the highest one, 2^63 - 1, into it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'number') return typeof value
  return isWithin(value, int64) ? 'integer' : 'number'
}

const isWithin = (number: number, { lowest, highest }: typeof int64): boolean =>
  Number.isInteger(number) && number >= lowest && number <= highest

export function checkString({ schema, path, errors }: Node, text: string): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const refuse = (detail: string) => errors.push(invalid(path, text, `${path} in body ${detail}`))
  const length = text.length > maxLength || minLength > 0 ? [...text].length : 0
  const pattern = patternOf(schema)
  if (length > maxLength) {
    const unit = maxLength === 1 ? 'byte' : 'bytes'
    errors.push({ path, message: `Too long: may not be more than ${maxLength} ${unit}` })
  } else if (length < minLength) refuse(`should be at least ${minLength} chars long`)
  else if (pattern && !pattern.test(text)) refuse(`should match '${pattern.text}'`)
  if (schema.format === 'date-time' && !isDateTime(text)) {
    errors.push(wrongType(path, schema.format, text))
  }
}

type Pattern = { readonly text: string; readonly test: (text: string) => boolean }

const patternOf = perNode(({ pattern }): Pattern | undefined => {
  if (pattern === undefined) return undefined
  try {
    const compiled = RE2JS.compile(pattern)
    return { text: pattern, test: (text) => compiled.test(text) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return { text: `${pattern}, but pattern is invalid: ${reason}`, test: () => false }
  }
})

/** RFC 3339. The only string format that is checked, because our kinds use no other. */
const dateTime = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i
const isDateTime = (text: string): boolean =>
  dateTime.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)))

export function checkNumber({ schema, path, errors }: Node, number: number): void {
  const { format = '', minimum, maximum, multipleOf } = schema
  const { exclusiveMinimum = false, exclusiveMaximum = false } = schema
  const refuse = (detail: string) => errors.push(invalid(path, number, `${path} in body ${detail}`))
  const known = integerFormats.get(format)
  if (schema.type === 'integer' && !isWithin(number, known ?? int64)) {
    const kind = known ? `with format ${format}` : '(default format)'
    errors.push(composed(path, `Checked value must be of type integer ${kind} in ${path}`))
  }
  if (multipleOf !== undefined && number % multipleOf !== 0) {
    refuse(`should be a multiple of ${multipleOf}`)
  }
  if (minimum !== undefined && (exclusiveMinimum ? number <= minimum : number < minimum)) {
    refuse(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)
  }
  if (maximum !== undefined && (exclusiveMaximum ? number >= maximum : number > maximum)) {
    refuse(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)
  }
}
