// How does the API refuse a request? With a Status that has the codes and reasons of Kubernetes.

export type Cause = {
  readonly reason: string
  readonly message: string
  readonly field?: string
}

export type Details = {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly Cause[]
  readonly retryAfterSeconds?: number
}

type Status = {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: Readonly<Record<string, never>>
  readonly status: 'Failure'
  readonly message: string
  readonly reason: string
  readonly details?: Details
  readonly code: number
}

export type Refused = { readonly ok: false; readonly status: Status }
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refused

type Said = { readonly code: number; readonly reason: string; readonly message: string }

export const refused = (said: Said, details?: Details): Refused => ({
  ok: false,
  status: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: said.message,
    reason: said.reason,
    ...(details === undefined ? {} : { details }),
    code: said.code,
  },
})

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })

export const badRequest = (message: string): Refused =>
  refused({ code: 400, reason: 'BadRequest', message })
