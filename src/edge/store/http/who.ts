// Who asks? Whoever a client certificate names, or a token; nobody else is let in, but to see
// whether the API is there.
import type { PeerCertificate } from 'node:tls'
import { done, type Outcome, type Refused, refused } from '../status.ts'
import { type Person, reachOf, withAll } from './person.ts'

export type TokenHolder = {
  readonly user: string
  readonly groups: readonly string[]
  /** Bound to what is in it. */
  readonly namespace?: string
  readonly isReadOnly?: boolean
}
export type FindHolder = (token: string) => TokenHolder | undefined

const unauthorized: Refused = refused({
  code: 401,
  reason: 'Unauthorized',
  message: 'Unauthorized',
})

/** Who shows nothing at all; what it may see is what Kubernetes calls public. */
const anonymous: Person = {
  user: 'system:anonymous',
  groups: ['system:unauthenticated'],
  reach: 'nothing',
}
const publicPaths = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/'])

type Presented = {
  /** Undefined when none was given that our authority has signed. */
  readonly certificate: PeerCertificate | undefined
  readonly authorization: string | undefined
  readonly method: string
  /** As it was sent, with what is asked. */
  readonly url: string
}

/** A certificate counts before a token, as in Kubernetes. */
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
