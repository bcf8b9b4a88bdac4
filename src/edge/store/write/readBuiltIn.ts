// How is an object of a built-in kind read? As if Go had decoded and encoded it: unknown fields,
// null and empty values are dropped, and a wrong type is an error.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { mostErrors } from '../../kube/schema/schemaCheck.ts'
import type { BuiltInSchema } from '../kinds/definitions.ts'
import { reading, type Words } from './goWords.ts'
import {
  isInteger,
  readBase64,
  readMicroTime,
  readQuantity,
  readTime,
  type Scalar,
} from './readScalar.ts'

type ReadObject =
  | { readonly ok: true; readonly json: JsonObject; readonly unknownFields: readonly string[] }
  | { readonly ok: false; readonly why: string }

export function readBuiltIn(schema: BuiltInSchema, json: JsonObject, words = reading): ReadObject {
  const reader = new Reading(words)
  const read = reader.fields(schema, json, { path: '', fields: '' })
  if (reader.why !== undefined) return { ok: false, why: reader.why }
  return { ok: true, json: read, unknownFields: reader.unknownFields }
}

/** Go reports an unknown field with list indexes, and a wrong type without. */
type FieldLocation = {
  readonly path: string
  readonly fields: string
  /** The Go type that has the field. */
  readonly owner?: string
  readonly readsItself?: boolean
}

class Reading {
  /** The first of them. */
  readonly unknownFields: string[] = []
  readonly #words: Words
  /** The first value that cannot be read. */
  why: string | undefined

  constructor(words: Words) {
    this.#words = words
  }

  fields(schema: BuiltInSchema, object: JsonObject, place: FieldLocation): JsonObject {
    const { properties = {} } = schema
    const owner = schema['x-berth-type'] ?? ''
    const read: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(object)) {
      const at = inside(place, name, owner)
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (field === undefined) {
        if (this.unknownFields.length < mostErrors) this.unknownFields.push(at.path)
      } else if (value !== null) {
        const after = this.value(field, value, at)
        if (!isDropped(field, after)) read[name] = after
      }
    }
    for (const [name, zero] of shownIn(schema)) if (!Object.hasOwn(read, name)) read[name] = zero
    return read
  }

  value(schema: BuiltInSchema, value: unknown, place: FieldLocation): unknown {
    const form = schema['x-berth-form']
    if (form === 'Anything' || (form === 'SchemaOrBool' && typeof value === 'boolean')) return value
    if (form === 'Quantity') return this.#scalar(readQuantity(value))
    if (schema['x-kubernetes-int-or-string'] === true) return this.#intOrString(value, place)
    if (schema.type === 'array') return this.#list(schema, value, place)
    if (schema.type === 'object') return this.#object(schema, value, place)
    if (schema.type === 'string') return this.#text(schema, value, place)
    if (schema.type === 'boolean') return this.#plain(value, 'bool', place)
    const read = this.#plain(value, schema.format ?? 'int64', place)
    const isNumber = schema.type === 'integer' && typeof read === 'number'
    if (isNumber && !isInteger(read, schema.format ?? '')) {
      this.#refuse(read, schema.format ?? 'int64', place)
    }
    return read
  }

  #object(schema: BuiltInSchema, value: unknown, place: FieldLocation): unknown {
    const { additionalProperties: others, properties } = schema
    const goType = properties === undefined ? 'map' : `v1.${schema['x-berth-type'] ?? ''}`
    if (!isRecord(value)) return this.#refuse(value, goType, place)
    if (properties !== undefined) return this.fields(schema, value, place)
    if (typeof others !== 'object') return value
    const entries = Object.entries(value).map(([name, one]): [string, unknown] => {
      const at = { ...place, path: `${place.path}.${name}` }
      return [name, one === null ? zeroOf(others) : this.value(others, one, at)]
    })
    return Object.fromEntries(entries)
  }

  #list(schema: BuiltInSchema, value: unknown, place: FieldLocation): unknown {
    const { items = {} } = schema
    const ofItems = items['x-berth-type']
    const goType = `[]${ofItems === undefined ? items.type : `v1.${ofItems}`}`
    if (!Array.isArray(value)) return this.#refuse(value, goType, place)
    return value.map((one, index) => {
      const at = { ...place, path: `${place.path}[${index}]` }
      return one === null ? zeroOf(items) : this.value(items, one, at)
    })
  }

  #text(schema: BuiltInSchema, value: unknown, place: FieldLocation): unknown {
    const form = schema['x-berth-form']
    const isBytes = schema.format === 'byte'
    const at = { ...place, readsItself: form !== undefined }
    const text = this.#plain(value, isBytes ? '[]uint8' : 'string', at)
    if (typeof text !== 'string') return text
    if (form === 'Time') return this.#scalar(readTime(text))
    if (form === 'MicroTime') return this.#scalar(readMicroTime(text))
    return isBytes ? this.#scalar(readBase64(text), this.#words.noBase64) : text
  }

  #intOrString(value: unknown, place: FieldLocation): unknown {
    if (typeof value === 'string') return value
    const at = { ...place, readsItself: true }
    const number = this.#plain(value, 'int32', at)
    if (typeof number === 'number' && !isInteger(number, 'int32')) {
      this.#refuse(number, 'int32', at)
    }
    return number
  }

  #plain(value: unknown, goType: string, place: FieldLocation): unknown {
    return typeof value === (jsonTypes.get(goType) ?? 'number')
      ? value
      : this.#refuse(value, goType, place)
  }

  #scalar(scalar: Scalar, worded = (why: string) => why): unknown {
    if (scalar.ok) return scalar.value
    this.why ??= worded(scalar.why)
    return undefined
  }

  #refuse(value: unknown, goType: string, place: FieldLocation): undefined {
    const { fields, owner = '', readsItself = false } = place
    this.why ??= this.#words.misfit({ value, goType, owner, fields, readsItself })
    return undefined
  }
}

/** By Go type; everything else is a number. */
const jsonTypes: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['string', 'string'],
  ['[]uint8', 'string'],
])

const inside = ({ path, fields }: FieldLocation, name: string, owner: string): FieldLocation => ({
  path: path === '' ? name : `${path}.${name}`,
  fields: fields === '' ? name : `${fields}.${name}`,
  owner,
})

const isDropped = (schema: BuiltInSchema, value: unknown): boolean =>
  value === undefined || (schema['x-berth-empty'] === undefined && isEmpty(value))

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isRecord(value)) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}

/** The zero value in Go. */
function zeroOf(schema: BuiltInSchema): unknown {
  if (schema.properties !== undefined) return Object.fromEntries(shownIn(schema))
  if (schema['x-berth-form'] === 'Time' || schema['x-berth-form'] === 'MicroTime') return null
  if (schema['x-kubernetes-int-or-string'] === true) return 0
  if (schema.type === 'string') return ''
  if (schema.type === 'boolean') return false
  return schema.type === 'integer' || schema.type === 'number' ? 0 : null
}

const shown = new WeakMap<BuiltInSchema, readonly (readonly [string, unknown])[]>()

function shownIn(schema: BuiltInSchema): readonly (readonly [string, unknown])[] {
  const known = shown.get(schema)
  if (known !== undefined) return known
  const fields = Object.entries(schema.properties ?? {})
    .filter(([, field]) => field['x-berth-empty'] === 'shown')
    .map(([name, field]) => [name, zeroOf(field)] as const)
  shown.set(schema, fields)
  return fields
}
