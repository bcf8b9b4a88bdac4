// Which structural schemas are still invalid? Those with lists without required keys, unknown types
// or defaults that do not fit.
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { isRecord } from '../../../kube/decode/fields.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { recordOf, textOf, textsOf } from '../../values/jsonRead.ts'

const required = (path: string, why: string): FieldError => ({
  path,
  message: `Required value: ${why}`,
})

export function checkSchemaRules(schema: JsonObject, path: string): readonly FieldError[] {
  const { items, additionalProperties: others, properties, type } = schema
  const errors: FieldError[] = []
  if (schema['uniqueItems'] === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(forbidden(`${path}.uniqueItems`, why))
  }
  if (others !== undefined && Object.keys(recordOf(properties)).length > 0) {
    const why = 'additionalProperties and properties are mutual exclusive'
    errors.push(forbidden(`${path}.additionalProperties`, why))
  }
  if (typeof type === 'string' && type !== '' && !types.includes(type)) {
    const supported = types.map((one) => `"${one}"`).join(', ')
    const message = `Unsupported value: "${type}": supported values: ${supported}`
    errors.push({ path: `${path}.type`, message })
  }
  errors.push(...checkListType(schema, path))
  if (isRecord(items)) errors.push(...checkSchemaRules(items, `${path}.items`))
  if (isRecord(others)) errors.push(...checkSchemaRules(others, `${path}.additionalProperties`))
  for (const [name, field] of Object.entries(recordOf(properties)).sort()) {
    errors.push(...checkSchemaRules(recordOf(field), `${path}.properties[${name}]`))
  }
  return errors
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

function checkListType(schema: JsonObject, path: string): readonly FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const keys = textsOf(schema['x-kubernetes-list-map-keys'])
  const keysAt = `${path}.x-kubernetes-list-map-keys`
  const type = textOf(schema['type'])
  if (listType !== undefined && type !== 'array') {
    const why = 'must be array if x-kubernetes-list-type is specified'
    return [type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why)]
  }
  if (listType !== 'map') return []
  if (keys.length === 0) {
    return [required(keysAt, 'must not be empty if x-kubernetes-list-type is map')]
  }
  const item = recordOf(schema['items'])
  const properties = recordOf(item['properties'])
  return keys.flatMap((key) => {
    if (!Object.hasOwn(properties, key)) {
      return [invalid(keysAt, keys, 'entries must all be names of item properties')]
    }
    const field = recordOf(properties[key])
    if (field['default'] !== undefined || textsOf(item['required']).includes(key)) return []
    const why = 'so it must have a default or be a required property'
    return [
      required(
        `${path}.items.properties[${key}].default`,
        `this property is in x-kubernetes-list-map-keys, ${why}`,
      ),
    ]
  })
}
