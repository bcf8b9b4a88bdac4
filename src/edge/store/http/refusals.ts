// In which words is a request refused before it reaches an object? In those of Kubernetes.
import { type Cause, type Refused, refused } from '../values/status.ts'

/** `what` is part of Kubernetes, but not of this API. */
export const notHere = (what: string): Refused =>
  refused(
    { code: 404, reason: 'NotFound', message: `the embedded API of Berth does not serve ${what}` },
    {},
  )

/** Where no API is served at all Kubernetes answers with this text alone, without a Status. */
export const noPage: Refused = refused({ code: 404, reason: '', message: '404 page not found' })

export const methodNotAllowed: Refused = refused(
  {
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {},
)

/** `kind` such as ListOptions: what the parameters of a request are to Kubernetes. */
export function invalidOptions(kind: string, causes: readonly Required<Cause>[]): Refused {
  const found = causes.map(({ field, message }) => `${field}: ${message}`)
  const words = found.length === 1 ? found.join() : `[${found.join(', ')}]`
  const message = `${kind}.meta.k8s.io "" is invalid: ${words}`
  return refused({ code: 422, reason: 'Invalid', message }, { group: 'meta.k8s.io', kind, causes })
}

/** We never get there by waiting: a revision is there once it is known. */
export const tooLargeRevision = (asked: number, current: number): Refused =>
  refused(
    {
      code: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    },
    {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  )

export function unknownFormat(accepted: readonly string[]): Refused {
  const known = `accepted media types include: ${accepted.join(', ')}`
  const message = `the body of the request was in an unknown format - ${known}`
  return refused({ code: 415, reason: 'UnsupportedMediaType', message })
}
