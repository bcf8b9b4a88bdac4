// What is wrong with which field of an object? In Kubernetes' words, so that people know them.
import type { FieldError } from './admission.ts'

/** An error about the object as a whole has no path. */
export const errorText = ({ path, message }: FieldError): string =>
  path === '' ? message : `${path}: ${message}`

/** All errors of one object, on one line. */
export const errorsText = (errors: readonly FieldError[]): string =>
  errors.map(errorText).join('; ')

export const invalid = (path: string, value: unknown, why: string): FieldError => ({
  path,
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
})

/** Where the parser has said what the text is and why it cannot be read. */
export const unreadable = (path: string, why: string): FieldError => ({
  path,
  message: `Invalid value: ${why}`,
})

export const required = (path: string, why: string): FieldError => ({
  path,
  message: `Required value: ${why}`,
})

/** For what a field may not be beside other fields or objects. */
export const forbidden = (path: string, why: string): FieldError => ({
  path,
  message: `Forbidden: ${why}`,
})
