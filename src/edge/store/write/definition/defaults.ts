// Do the defaults of a schema fit it themselves?
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { isRecord } from '../../../kube/decode/fields.ts'
import { type Schema, walkSchema } from '../../../kube/schema/schema.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { recordOf } from '../../values/jsonRead.ts'

export function checkDefaults(schema: JsonObject, path: string): readonly FieldError[] {
  const { default: value, items, additionalProperties: others, properties } = schema
  const own = value === undefined ? [] : checkDefault(schema, value, `${path}.default`)
  const fields = Object.entries(recordOf(properties)).sort()
  return [
    ...own,
    ...(isRecord(items) ? checkDefaults(items, `${path}.items`) : []),
    ...(isRecord(others) ? checkDefaults(others, `${path}.additionalProperties`) : []),
    ...fields.flatMap(([name, field]) =>
      checkDefaults(recordOf(field), `${path}.properties[${name}]`),
    ),
  ]
}

/** The schema is known to be valid here. */
function checkDefault(schema: Schema, value: unknown, path: string): readonly FieldError[] {
  const { errors, unknownFields } = walkSchema(schema, value)
  if (unknownFields.length > 0) return [invalid(path, value, 'must not have unknown fields')]
  return errors.map(({ path: inside, message }) => ({
    path: inside === '' ? path : `${path}.${inside}`,
    message,
  }))
}
