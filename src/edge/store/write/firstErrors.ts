// Which mistakes in a long list are reported? The first hundred, as with those of a schema.
import type { FieldError } from '../../../core/model/admission.ts'
import { mostErrors } from '../../kube/schema/schemaCheck.ts'
import { longestMessage } from '../values/longestMessage.ts'

type Check<T> = (item: T, at: number) => readonly FieldError[]

/** Stops there: a body has room for a million wrong items, and memory none for their errors. */
export function firstErrors<T>(items: readonly T[], check: Check<T>): readonly FieldError[] {
  const errors: FieldError[] = []
  for (const [at, item] of items.entries()) {
    if (errors.length >= mostErrors) break
    errors.push(...check(item, at))
  }
  return errors
}

/** As many as an answer lists, and as much of each. */
export const listed = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.slice(0, mostErrors).map(shortened)

const shortened = ({ path, message }: FieldError): FieldError => ({
  path: path.slice(0, longestMessage),
  message: message.slice(0, longestMessage),
})
