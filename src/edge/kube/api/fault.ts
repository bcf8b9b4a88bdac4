// What is thrown when something outside fails? One place in each loop catches it and backs off.

export class Fault extends Error {
  override readonly name: string = 'Fault'
}

/** A stream without data for too long: the server may or may not be there. */
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

/** The API server answered with a refusal. */
export class ApiError extends Fault {
  override readonly name = 'ApiError'
  readonly code: number
  /** As in the Status, such as Conflict or Expired; empty if there was no Status. */
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

/** Returns a Fault unchanged, and wraps anything else in one. */
export function faultFrom(error: unknown, what: string): Fault {
  if (error instanceof Fault) return error
  return new Fault(`${what}: ${textOf(error)}`, { cause: error })
}

/** Some system errors have a code and no message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return error.message === '' ? code : error.message
}
