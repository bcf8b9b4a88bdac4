// At which revision is a request answered? What resourceVersion asks for, and what has expired.
import { badRequest, done, type Outcome, refused } from '../values/status.ts'
import { decodeContinue, encodeContinue } from './continueToken.ts'
import type { ListOptions } from './listOptions.ts'
import { tooLargeRevision } from './refusals.ts'
import { jsonReply, type Reply } from './reply.ts'

/** Worded as Go's strconv, which Kubernetes quotes. */
export function parseRevision(text: string): Outcome<number> {
  const isNumber = /^\d+$/.test(text)
  if (isNumber && BigInt(text) < 2n ** 64n) return done(Number(text))
  const why = isNumber ? 'value out of range' : 'invalid syntax'
  const said = JSON.stringify(text)
  return badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${said}: ` +
      `strconv.ParseUint: parsing ${said}: ${why}`,
  )
}

type Moment = {
  /** Undefined for now. */
  readonly at: number | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** `current` is the newest revision. */
export function momentOf(options: ListOptions, current: number): Outcome<Moment> {
  const { limit, resourceVersion } = options
  const asked = resourceVersion === '' ? done(0) : parseRevision(resourceVersion)
  if (!asked.ok) return asked
  if (options.continue !== '') return continued(options.continue, asked.value, limit)
  const now = { at: undefined, after: undefined, limit }
  if (asked.value > current) return tooLargeRevision(asked.value, current)
  if (resourceVersion === '') return done(now)
  // Any revision will do, and Kubernetes then ignores the limit.
  if (asked.value === 0) return done({ ...now, limit: 0 })
  const isExact = options.match === 'Exact' || (options.match === '' && limit > 0)
  return done(isExact ? { ...now, at: asked.value } : now)
}

function continued(token: string, asked: number, limit: number): Outcome<Moment> {
  if (asked !== 0) {
    return badRequest('specifying resource version is not allowed when using continue')
  }
  const from = decodeContinue(token)
  return from.ok ? done({ ...from.value, limit }) : from
}

const expiredList = 'The resourceVersion for the provided list is too old.'
const expiredPage =
  'The provided continue parameter is too old to display a consistent list result. You can start ' +
  'a new list without the continue parameter, or use the continue token in this response to ' +
  'retrieve the remainder of the results. Continuing with the provided token results in an ' +
  'inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.'

/** A client in the middle of a list gets a token to continue with the current state. */
export function expired({ after }: Moment): Reply {
  const message = after === undefined ? expiredList : expiredPage
  const { status } = refused({ code: 410, reason: 'Expired', message })
  if (after === undefined) return jsonReply(410, status)
  return jsonReply(410, {
    ...status,
    metadata: { continue: encodeContinue({ at: undefined, after }) },
  })
}
