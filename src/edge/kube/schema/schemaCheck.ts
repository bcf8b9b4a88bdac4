// Which fields of a value violate its schema? Checked in the order of Kubernetes' validators.

import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'
import type { Schema } from './schema.ts'
import { composed, invalid, jsonText, tooMany, unsupported, wrongType } from './schemaMessages.ts'
import { fieldPath, perNode, propertiesOf } from './schemaNodes.ts'
import { checkNumber, checkString, type Node, typeOf } from './schemaScalars.ts'

export function checkValue(schema: Schema, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  check({ schema, value, path, errors })
  return errors
}

/** Enough to begin with; a request could hold a hundred thousand. */
export const mostErrors = 100

/** A value of the wrong type still goes through the other checks, as in Kubernetes. */
function check(node: Node): void {
  const { value, errors } = node
  if (errors.length >= mostErrors) return
  checkType(node)
  if (value !== null) checkAlternatives(node)
  if (typeof value === 'string') checkString(node, value)
  if (typeof value === 'number') checkNumber(node, value)
  if (Array.isArray(value)) checkList(node, value)
  checkEnum(node)
  if (isRecord(value)) checkObject(node, value)
}

/** Kubernetes 1.36 names the format instead of the type if there is one; this is clearer. */
function checkType({ schema, value, path, errors }: Node): void {
  const wanted = wantedTypes(schema)
  const found = typeOf(value)
  if (wanted.length === 0 || wanted.includes(found)) return
  if (found === 'integer' && wanted.includes('number')) return
  if (found === 'null' && schema.nullable === true) return
  errors.push(wrongType(path, wanted.join(','), found))
}

function wantedTypes(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string']
  return schema.type ? [schema.type] : []
}

/** If no alternative holds, the errors of the first one are shown. */
function checkAlternatives({ schema, value, path, errors }: Node): void {
  const { anyOf, oneOf, allOf, not } = schema
  if (!(anyOf ?? oneOf ?? allOf ?? not)) return
  const tried = (schemas: readonly Schema[] = []) =>
    schemas.map((one) => checkValue(one, value, path))
  const refuse = (what: string) => errors.push(composed(path, `${jsonText(path)} must ${what}`))
  const add = (more: readonly FieldError[] = []) => {
    for (const error of more) errors.push(error)
  }

  const any = tried(anyOf)
  if (any.length > 0 && any.every((found) => found.length > 0)) {
    refuse('validate at least one schema (anyOf)')
    add(any[0])
  }
  const one = tried(oneOf)
  const valid = one.filter((found) => found.length === 0).length
  if (one.length > 0 && valid !== 1) {
    const count = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
    refuse(`validate one and only one schema (oneOf). ${count}`)
    if (valid === 0) add(one[0])
  }
  const all = tried(allOf)
  const failed = all.filter((found) => found.length > 0)
  add(failed.flat())
  if (failed.length > 0) {
    const none = failed.length === all.length ? '. None validated' : ''
    refuse(`validate all the schemas (allOf)${none}`)
  }
  if (not && checkValue(not, value, path).length === 0) refuse('not validate the schema (not)')
}

function checkList({ schema, path, errors }: Node, list: readonly unknown[]): void {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const { length } = list
  const isTooLong = length > maxItems
  if (isTooLong) errors.push(tooMany(path, length, maxItems))
  // Kubernetes checks a list that is too long to its end; we stop, since there may be no end.
  const checked = isTooLong ? list.slice(0, maxItems + mostErrors) : list
  if (items) {
    for (const [index, value] of checked.entries()) {
      check({ schema: items, value, path: `${path}[${index}]`, errors })
    }
  }
  if (length < minItems) {
    errors.push(invalid(path, length, `${path} in body should have at least ${minItems} items`))
  }
  if (schema.uniqueItems === true && new Set(list.map((item) => jsonText(item))).size < length) {
    errors.push(composed(path, `${path} in body shouldn't contain duplicates`))
  }
}

const enumOf = perNode(
  ({ enum: allowed }) => allowed && new Set(allowed.map((one) => jsonText(one))),
)

function checkEnum({ schema, value, path, errors }: Node): void {
  const allowed = enumOf(schema)
  if (!allowed || allowed.has(jsonText(value))) return
  errors.push(unsupported(path, value, schema.enum ?? []))
}

function checkObject(node: Node, object: JsonObject): void {
  const { schema, path, errors } = node
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  const count = Object.keys(object).length
  if (count < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`
    errors.push(invalid(path, count, detail))
  }
  if (count > maxProperties) errors.push(tooMany(path, count, maxProperties))
  checkFields(node, object)
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(object, name)) {
      errors.push({ path: fieldPath(path, name), message: 'Required value' })
    }
  }
}

function checkFields({ schema, path, errors }: Node, object: JsonObject): void {
  const own = propertiesOf(schema)
  const others = schema.additionalProperties
  const checkField = (field: Schema, name: string) =>
    check({ schema: field, value: object[name], path: fieldPath(path, name), errors })
  if (typeof others === 'object') {
    const names = Object.keys(object).filter((name) => !own.has(name))
    for (const name of names.sort()) checkField(others, name)
  }
  for (const [name, field] of own) {
    if (Object.hasOwn(object, name)) checkField(field, name)
  }
}
