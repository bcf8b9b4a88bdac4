// How does Kubernetes refuse a write? The common errors of its api/errors package.

import type { FieldError } from '../../../core/model/admission.ts'
import { errorText } from '../../../core/model/fieldError.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import { type Details, type Refused, refused } from '../values/status.ts'
import { cause } from './causes.ts'
import { listed } from './firstErrors.ts'

const groupIn = (group: string): Details => (group === '' ? {} : { group })
const nameIn = (name: string): Details => (name === '' ? {} : { name })
export const detailsOf = (kind: StoredKind, name: string): Details => ({
  ...nameIn(name),
  ...groupIn(kind.group),
  kind: kind.plural,
})

const missing = 'the server could not find the requested resource'
/** The resource itself, not one of its objects. */
export const notServed: Refused = refused({ code: 404, reason: 'NotFound', message: missing }, {})

export const notFound = (kind: StoredKind, name: string): Refused =>
  refused(
    { code: 404, reason: 'NotFound', message: `${resourceOf(kind)} "${name}" not found` },
    detailsOf(kind, name),
  )

export function alreadyExists(kind: StoredKind, name: string, more: string): Refused {
  const message = `${more}${resourceOf(kind)} "${name}" already exists`
  return refused({ code: 409, reason: 'AlreadyExists', message }, detailsOf(kind, name))
}

export function conflict(kind: StoredKind, name: string, why: string): Refused {
  const message = `Operation cannot be fulfilled on ${resourceOf(kind)} "${name}": ${why}`
  return refused({ code: 409, reason: 'Conflict', message }, detailsOf(kind, name))
}

export const internalError = (why: string): Refused =>
  refused(
    { code: 500, reason: 'InternalError', message: `Internal error occurred: ${why}` },
    { causes: [{ reason: '', message: why }] },
  )

/** Names the object by its kind; some checks of Kubernetes name it by its plural. */
type Called = { readonly group: string; readonly kind: string }

export function invalid(what: Called, name: string, all: readonly FieldError[]): Refused {
  const { group, kind } = what
  const errors = listed(all)
  const message = `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid`
  const called = kind === '' ? {} : { kind }
  const details = { ...nameIn(name), ...groupIn(group), ...called, causes: errors.map(cause) }
  return refused(
    { code: 422, reason: 'Invalid', message: `${message}: ${joined(errors)}` },
    details,
  )
}

/** As Go prints an aggregate: without repetitions. */
function joined(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(errorText))]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}
