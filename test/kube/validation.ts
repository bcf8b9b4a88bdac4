// What do the API server and our own schema walk say of one object? In words that can be compared.
import type { FieldError } from '../../src/core/model/admission.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { type Schema, walkSchema } from '../../src/edge/kube/schema/schema.ts'
import { isSince } from './kubeVersion.ts'

export type Validation =
  | { readonly accepted: unknown; readonly unknownFields: readonly string[] }
  /** Sorted, as `path: message`. */
  | { readonly refused: readonly string[] }

type Json = Readonly<Record<string, unknown>>
type Cause = { readonly field: string; readonly message: string }

export function oursOf(schema: Schema, object: Json): Validation {
  const { value, unknownFields, ...walked } = walkSchema(schema, object)
  const errors = walked.errors.filter(isChecked)
  if (errors.length === 0) return { accepted: withoutMeta(value as Json), unknownFields }
  return { refused: sorted(errors.map(({ path, message }) => `${path}: ${plain(message)}`)) }
}

export type Question = {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Json
  /** What the server warned of while it answered. */
  readonly warnings: string[]
}

/** Nothing is written. Refusals by rules (CEL) alone do not count: those are policy's with us. */
export async function theirsOf(api: Api, schema: Schema, question: Question): Promise<Validation> {
  const { method, path, body, warnings } = question
  const query = { dryRun: 'All', fieldValidation: 'Warn' }
  warnings.length = 0
  try {
    const value = (await api.call({ method, path, body, query })) as Json
    const unknownFields = warnings.map((text) => text.replace(/^unknown field "(.*)"$/s, '$1'))
    return { accepted: withoutMeta(value), unknownFields }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 422) throw error
    const { causes } = (error.status as { details: { causes: readonly Cause[] } }).details
    const refused = causes.filter((cause) => !isByRule(schema, cause)).map(lineOf)
    return { refused: sorted(refused.map((line) => fromRoot(path, line))) }
  }
}

/** Before 1.36 the server does not look at the ranges of numbers; we do. */
const isChecked = ({ message }: FieldError): boolean =>
  isSince(36) || !message.includes('Checked value must be of type')

/** Before 1.31 most fields of a status are named from there on. */
function fromRoot(path: string, line: string): string {
  const isCut = path.endsWith('/status') && !isSince(31) && !line.startsWith('status.')
  return isCut ? `status.${line}` : line
}

const sorted = (lines: readonly string[]): string[] => [...new Set(lines)].sort()

function withoutMeta({ metadata: _, ...rest }: Json): Json {
  return rest
}

/** The server leaves some paths, or their end, out of the field; they are in the words then. */
function lineOf({ field, message }: Cause): string {
  const [, inside] = / in (\S+)$/.exec(message) ?? /: "(.*)" must /.exec(message) ?? []
  if (inside === undefined || / in body /.test(message)) return `${field}: ${plain(message)}`
  return `${field === '<nil>' ? inside : `${field}.${inside}`}: ${plain(message)}`
}

/** What is wrong, without the value: Go writes numbers, types and some signs in its own way. */
function plain(message: string): string {
  const [what = message] = message.split(':')
  const [, detail = ''] = / in body (.*)$/s.exec(message) ?? []
  return detail.startsWith('must be of type') ? 'wrong type' : `${what} ${detail}`.trim()
}

function isByRule(schema: Schema, { message }: Cause): boolean {
  if (message.includes('some validation rules were not checked')) return true
  return rulesIn(schema).some((rule) => message.includes(rule))
}

/** A rule that cannot be evaluated, such as a duration of no sense, is refused in these words. */
function rulesIn(schema: Schema): string[] {
  const found = ['rule']
  JSON.stringify(schema, (key, value: unknown) => {
    if (key !== 'x-kubernetes-validations') return value
    for (const { message } of value as { message?: string }[]) found.push(message ?? 'failed rule')
    return value
  })
  return found
}
