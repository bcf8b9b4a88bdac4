// What is thrown when the world fails? One place in each loop catches it and backs off.

export class Fault extends Error {
  override readonly name: string = 'Fault'
}

/** A stream that says nothing for too long: whether anybody is there is not known. */
export class Silence extends Fault {
  override readonly name = 'Silence'
}

type Refusal = {
  /** The request, such as `GET /api/v1/services`. */
  readonly request: string
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly status: unknown
  readonly retryAfterMs: number | undefined
}

/** The API server answered, and the answer is no. */
export class ApiError extends Fault {
  override readonly name = 'ApiError'
  readonly code: number
  /** As in the Status, such as Conflict or Expired; empty when the answer was none. */
  readonly reason: string
  readonly status: unknown
  readonly retryAfterMs: number | undefined

  constructor({ request, code, reason, message, status, retryAfterMs }: Refusal) {
    super(`${request}: ${code} ${message}`)
    this.code = code
    this.reason = reason
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** A Fault as it is, anything else as the cause of one. */
export function faultFrom(error: unknown, what: string): Fault {
  if (error instanceof Fault) return error
  return new Fault(`${what}: ${textOf(error)}`, { cause: error })
}

/** Some errors of the system carry a code and no words. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return error.message === '' ? code : error.message
}
