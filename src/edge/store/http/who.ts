// Which user sends a request? The one of its client certificate or token. Without either, only
// public paths such as health can be read.
import type { PeerCertificate } from 'node:tls'
import { done, type Outcome, type Refused, refused } from '../values/status.ts'
import { type Person, reachOf, withAll } from './person.ts'

export type TokenHolder = {
  readonly user: string
  readonly groups: readonly string[]
  /** Limited to this namespace. */
  readonly namespace?: string
  readonly isReadOnly?: boolean
}
export type FindHolder = (token: string) => TokenHolder | undefined

const unauthorized: Refused = refused({
  code: 401,
  reason: 'Unauthorized',
  message: 'Unauthorized',
})

/** A client without credentials, who may read what Kubernetes calls public. */
const anonymous: Person = {
  user: 'system:anonymous',
  groups: ['system:unauthenticated'],
  reach: 'nothing',
}
const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/'])

type Presented = {
  /** Undefined without a certificate that our authority has signed. */
  readonly certificate: PeerCertificate | undefined
  readonly authorization: string | undefined
  readonly method: string
  /** With the query. */
  readonly url: string
}

/** A certificate takes precedence over a token, as in Kubernetes. */
export function whoAsks(
  { certificate, authorization, method, url }: Presented,
  find: FindHolder,
): Outcome<Person> {
  const [user = ''] = [certificate?.subject?.CN ?? ''].flat()
  if (user !== '') {
    const groups = [certificate?.subject?.O ?? []].flat()
    const hasCertificate = true
    return done({ user, groups: withAll(groups), reach: reachOf(groups), hasCertificate })
  }
  const [path = ''] = url.split('?')
  if (!authorization && method === 'GET' && publicPaths.has(path)) return done(anonymous)
  const [, token = ''] = /^bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  const holder = token === '' ? undefined : find(token)
  if (holder === undefined) return unauthorized
  const { namespace, isReadOnly = false } = holder
  const reach = { namespace, isReadOnly }
  return done({ user: holder.user, groups: withAll(holder.groups), reach })
}
