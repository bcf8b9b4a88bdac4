// Who may read the metrics? Whoever the API server knows by the bearer token of the request, and
// lets read that path: the two questions that controller-runtime's secure metrics ask.
import { createHash } from 'node:crypto'
import type { Api } from '../api/client.ts'
import type { Clock } from '../api/clock.ts'
import { Fault } from '../api/fault.ts'
import { Fields } from '../decode/fields.ts'
import type { Page } from './pages.ts'

type Asking = {
  readonly method: string
  readonly path: string
  /** The header; empty if absent. */
  readonly authorization: string
  /** The address that asks. */
  readonly from: string
}
/** The page that refuses, or undefined for clients that may read. */
export type Readers = (asking: Asking) => Promise<Page | undefined>

type ReaderParts = {
  /** One of its own: strangers decide how often it is asked. */
  readonly api: Pick<Api, 'call'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}
type Review = { readonly refusal: Page | undefined; readonly untilMs: number }

/** A right that was taken away counts for so long still. */
const admittedMs = 60_000
const refusedMs = 10_000
/** Kept apart, so that guessing does not push out those who were let in. */
const mostOfEach = 256
const answerMs = 5_000
/** Tokens under review at a time: whoever sends ever new ones must not fill our memory. */
const mostAsked = 32
/** Of those, from one address: made-up tokens from there do not keep Prometheus out. */
const mostOfSource = 8

export function metricsReaders({ api, clock, log }: ReaderParts): Readers {
  const known = { admitted: new Map<string, Review>(), refused: new Map<string, Review>() }
  const asked = new Map<string, Promise<Review>>()
  const bySource = new Map<string, number>()
  let told = ''

  function count(from: string, more: 1 | -1): void {
    const now = (bySource.get(from) ?? 0) + more
    if (now === 0) bySource.delete(from)
    else bySource.set(from, now)
  }

  function begun(key: string, token: string, asking: Asking): Promise<Review> {
    const { from } = asking
    count(from, 1)
    const pending = reviewed(key, token, asking).finally(() => {
      asked.delete(key)
      count(from, -1)
    })
    asked.set(key, pending)
    return pending
  }

  async function reviewed(key: string, token: string, { method, path }: Asking): Promise<Review> {
    const refusal = await refusalOf(api, token, { path, verb: method.toLowerCase() })
    told = ''
    const untilMs = clock.nowMs() + (refusal === undefined ? admittedMs : refusedMs)
    const verdict = { refusal, untilMs }
    const map = refusal === undefined ? known.admitted : known.refused
    map.delete(key)
    const [eldest] = map.size < mostOfEach ? [] : map.keys()
    if (eldest !== undefined) map.delete(eldest)
    map.set(key, verdict)
    return verdict
  }

  async function reviewOf(token: string, asking: Asking): Promise<Review> {
    const key = keyOf(token, asking)
    const remembered = known.admitted.get(key) ?? known.refused.get(key)
    if (remembered !== undefined && remembered.untilMs > clock.nowMs()) return remembered
    const wasAdmitted = known.admitted.delete(key)
    const pending = asked.get(key)
    if (pending !== undefined) return pending
    const isFull = asked.size >= mostAsked || (bySource.get(asking.from) ?? 0) >= mostOfSource
    return isFull && !wasAdmitted ? busy : begun(key, token, asking)
  }

  return async (asking) => {
    const token = /^Bearer +(\S+)$/i.exec(asking.authorization)?.[1]
    if (token === undefined) return page(401, 'Unauthorized: send a bearer token')
    try {
      return (await reviewOf(token, asking)).refusal
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (told !== error.message) {
        log({ level: 'warn', object: asking.path, message: `token not reviewed: ${error.message}` })
      }
      told = error.message
      return page(500, 'the token could not be reviewed')
    }
  }
}

type Read = { readonly path: string; readonly verb: string }

const reviews = {
  token: {
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    type: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' },
  },
  access: {
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    type: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' },
  },
} as const

async function refusalOf(
  api: ReaderParts['api'],
  token: string,
  read: Read,
): Promise<Page | undefined> {
  const statusOf = async ({ path, type }: (typeof reviews)['token' | 'access'], spec: object) => {
    const request = { method: 'POST', path, body: { ...type, spec }, timeoutMs: answerMs } as const
    return new Fields(await api.call(request), []).inner('status')
  }
  const holder = await statusOf(reviews.token, { token })
  if (holder.flag('authenticated') !== true) return page(401, 'Unauthorized: not a valid token')
  const { username: user, groups, uid, extra } = holder.inner('user').json
  const spec = { user, groups, uid, extra, nonResourceAttributes: read }
  const access = await statusOf(reviews.access, spec)
  if (access.flag('allowed') === true) return undefined
  return page(403, `Forbidden: ${JSON.stringify(user)} may not ${read.verb} ${read.path}`)
}

/** No token is kept in memory for longer than its request. */
const keyOf = (token: string, { method, path }: Asking): string =>
  createHash('sha256').update(`${method} ${path} ${token}`).digest('base64')

const page = (status: number, why: string): Page => ({
  status,
  type: 'text/plain',
  body: `${why}\n`,
})
const busy: Review = { refusal: page(503, 'too many tokens are being reviewed'), untilMs: 0 }
