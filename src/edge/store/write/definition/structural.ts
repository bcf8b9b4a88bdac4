// Is a schema structural: does every field have a type outside of anyOf, allOf, oneOf and not? The
// errors are those of Kubernetes, in its order.
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { isRecord } from '../../../kube/decode/fields.ts'
import { checkValue } from '../../../kube/schema/schemaCheck.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'

const required = (path: string, why: string): FieldError => ({
  path,
  message: `Required value: ${why}`,
})

export function checkStructural(schema: JsonObject, path: string): readonly FieldError[] {
  const errors = [
    ...checkNode(schema, 'root', path),
    ...checkComplete({ schema, path }, schema, path),
  ]
  const textOfError = ({ path: at, message }: FieldError): string => `${at}: ${message}`
  return errors.sort((one, other) => (textOfError(one) < textOfError(other) ? -1 : 1))
}

type Level = 'root' | 'item' | 'field'
const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function checkNode(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const { items, additionalProperties: others } = schema
  const errors: FieldError[] = []
  if (schema['type'] === 'array' && items === undefined) {
    errors.push(required(`${path}.items`, 'must be specified'))
  }
  if (isRecord(items)) errors.push(...checkNode(items, 'item', `${path}.items`))
  for (const [name, field] of Object.entries(recordOf(schema['properties']))) {
    errors.push(...checkNode(recordOf(field), 'field', `${path}.properties[${name}]`))
  }
  if (others !== undefined && level === 'root') {
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'))
  }
  if (isRecord(others)) {
    errors.push(...checkNode(others, 'field', `${path}.additionalProperties`))
  }
  return [
    ...errors,
    ...checkExtensions(schema, path),
    ...checkJunctors(schema, path),
    ...checkType(schema, level, path),
    ...checkMetadata(schema, level, path),
  ]
}

const isTrue = (schema: JsonObject, name: string): boolean =>
  schema[`x-kubernetes-${name}`] === true

function checkExtensions(schema: JsonObject, path: string): readonly FieldError[] {
  if (!isTrue(schema, 'int-or-string')) return []
  return ['preserve-unknown-fields', 'embedded-resource']
    .filter((name) => isTrue(schema, name))
    .map((name) => {
      const why = 'must be false if x-kubernetes-int-or-string is true'
      return invalid(`${path}.x-kubernetes-${name}`, true, why)
    })
}

function checkType(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const type = textOf(schema['type'])
  const at = `${path}.type`
  const errors: FieldError[] = []
  if (isTrue(schema, 'embedded-resource') && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? required(at, why) : invalid(at, type, why))
  } else if (
    type === '' &&
    !isTrue(schema, 'int-or-string') &&
    !isTrue(schema, 'preserve-unknown-fields')
  ) {
    errors.push(required(at, emptyType[level]))
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(at, type, 'must be object at the root'))
  }
  return errors
}

/** Of the metadata only the names may be restricted. */
function checkMetadata(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const { kind, apiVersion, metadata } = recordOf(schema['properties'])
  const isResource = level === 'root' || isTrue(schema, 'embedded-resource')
  const errors: FieldError[] = []
  for (const [name, field] of Object.entries({ kind, apiVersion })) {
    const type = textOf(recordOf(field)['type'])
    if (!isResource || field === undefined || type === 'string') continue
    errors.push(invalid(`${path}.properties[${name}].type`, type, 'must be string'))
  }
  if (metadata === undefined) return errors
  const { type, properties, default: _, description: __, ...rest } = recordOf(metadata)
  const at = `${path}.properties[metadata]`
  if (isResource && type !== 'object') {
    errors.push(invalid(`${at}.type`, textOf(type), 'must be object'))
  }
  const names = Object.keys(recordOf(properties))
  const isNameOnly = names.every((name) => name === 'name' || name === 'generateName')
  if (level === 'root' && !(isNameOnly && Object.keys(rest).length === 0)) {
    const only = 'must not specify anything other than name and generateName'
    errors.push(forbidden(at, `${only}, but metadata is implicitly specified`))
  }
  return errors
}

type Junctor = { readonly schema: JsonObject; readonly path: string }

function junctorsOf(schema: JsonObject, path: string): readonly Junctor[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((name) =>
    recordsOf(schema[name]).map((one, index) => ({
      schema: one,
      path: `${path}.${name}[${index}]`,
    })),
  )
  const { not } = schema
  return isRecord(not) ? [...lists, { schema: not, path: `${path}.not` }] : lists
}

const isEither = (list: unknown): boolean =>
  JSON.stringify(list) === '[{"type":"integer"},{"type":"string"}]'

/** Allows the one form of int-or-string in plain OpenAPI. */
function checkJunctors(schema: JsonObject, path: string): readonly FieldError[] {
  const first = recordsOf(schema['allOf'])[0]
  const errors = junctorsOf(schema, path).flatMap((junctor) => {
    const isUsual =
      (isEither(schema['anyOf']) && junctor.path.startsWith(`${path}.anyOf[`)) ||
      (junctor.schema === first && isEither(first['anyOf']))
    return isUsual ? [] : checkNested(junctor)
  })
  return [...checkPattern(schema, path), ...errors]
}

function checkPattern({ pattern }: JsonObject, path: string): readonly FieldError[] {
  if (typeof pattern !== 'string') return []
  const [found] = checkValue({ pattern }, '', '')
  const [, why] = /, but pattern is invalid: (.*)'$/s.exec(found?.message ?? '') ?? []
  if (why === undefined) return []
  const words = `must be a valid regular expression, but isn't: ${why}`
  return [invalid(`${path}.pattern`, pattern, words)]
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== '' && value !== false
const forbiddenInside: readonly (readonly [string, string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
]

function checkNested({ schema, path }: Junctor): readonly FieldError[] {
  const properties = recordOf(schema['properties'])
  const { items } = schema
  return [
    ...checkJunctors(schema, path),
    ...(isRecord(items) ? checkNested({ schema: items, path: `${path}.items` }) : []),
    ...Object.entries(properties).flatMap(([name, field]) =>
      checkNested({ schema: recordOf(field), path: `${path}.properties[${name}]` }),
    ),
    ...forbiddenInside
      .filter(([name]) => isGiven(schema[name]))
      .map(([name, word]) => forbidden(`${path}.${name}`, `must be ${word} to be structural`)),
    ...(Object.hasOwn(properties, 'metadata')
      ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ]
}

/** A field inside anyOf and the like must also exist outside; Kubernetes checks the root alone. */
function checkComplete(part: Junctor, whole: JsonObject, at: string): readonly FieldError[] {
  const { schema, path } = part
  return junctorsOf(schema, path).flatMap((junctor) => checkPart(junctor, whole, at))
}

function checkPart(part: Junctor, whole: unknown, at: string): readonly FieldError[] {
  if (!isRecord(whole)) return [required(at, `because it is defined in ${part.path}`)]
  const { schema: checked, path } = part
  const { items } = checked
  const fields = Object.entries(recordOf(checked['properties']))
  return [
    ...checkComplete(part, whole, at),
    ...(isRecord(items)
      ? checkPart({ schema: items, path: `${path}.items` }, whole['items'], `${at}.items`)
      : []),
    ...fields.flatMap(([name, field]) => {
      const inside = `properties[${name}]`
      const one = { schema: recordOf(field), path: `${path}.${inside}` }
      return checkPart(one, recordOf(whole['properties'])[name], `${at}.${inside}`)
    }),
  ]
}
