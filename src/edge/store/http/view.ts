// In which form does a client want objects? As they are, as a table, or as metadata alone.
import { badRequest, done, type Outcome } from '../values/status.ts'
import { type Form, formOf } from './accept.ts'

type IncludeObject = 'None' | 'Metadata' | 'Object'
export type View = {
  readonly form: Form
  /** How much of the object is sent with its row in a table. */
  readonly includeObject: IncludeObject
}

export function viewOf(accept: string | undefined, query: URLSearchParams): Outcome<View> {
  const form = formOf(accept)
  if (!form.ok) return form
  const asked = query.get('includeObject') || 'Metadata'
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') {
    return done({ form: form.value, includeObject: asked })
  }
  if (form.value.as !== 'Table') return done({ form: form.value, includeObject: 'Metadata' })
  return badRequest(
    'Unable to convert to Table as requested: includeObject: Invalid value: ' +
      `${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  )
}
