// How is a request refused before it reaches an object? With the words of Kubernetes.
import { type Cause, type Refused, refused } from '../values/status.ts'

/** `what` is part of Kubernetes, but not of this API. */
export const notHere = (what: string): Refused =>
  refused(
    { code: 404, reason: 'NotFound', message: `the embedded API of Berth does not serve ${what}` },
    {},
  )

/** For a path outside of any API, Kubernetes sends this text without a Status. */
export const noPage: Refused = refused({ code: 404, reason: '', message: '404 page not found' })

export const methodNotAllowed: Refused = refused(
  {
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {},
)

/** `kind` is how Kubernetes calls the parameters of a request, such as ListOptions. */
export function invalidOptions(kind: string, causes: readonly Required<Cause>[]): Refused {
  const found = causes.map(({ field, message }) => `${field}: ${message}`)
  const words = found.length === 1 ? found.join() : `[${found.join(', ')}]`
  const message = `${kind}.meta.k8s.io "" is invalid: ${words}`
  return refused({ code: 422, reason: 'Invalid', message }, { group: 'meta.k8s.io', kind, causes })
}

/** Waiting does not help: no revision after the current one exists yet. */
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
