// Which reason does a field error have in Kubernetes? Found by the start of its message.
import type { FieldError } from '../../../core/model/admission.ts'
import type { Cause } from '../values/status.ts'

const words: readonly (readonly [string, string])[] = [
  ['Required value', 'FieldValueRequired'],
  ['Duplicate value', 'FieldValueDuplicate'],
  ['Unsupported value', 'FieldValueNotSupported'],
  ['Forbidden', 'FieldValueForbidden'],
  ['Too many', 'FieldValueTooMany'],
  ['Too long', 'FieldValueTooLong'],
  ['Not found', 'FieldValueNotFound'],
]

export function cause({ path, message }: FieldError): Cause {
  const [, word] = words.find(([start]) => message.startsWith(start)) ?? []
  const other = / in body must be of type /.test(message)
    ? 'FieldValueTypeInvalid'
    : 'FieldValueInvalid'
  return { reason: word ?? other, message, field: path }
}
