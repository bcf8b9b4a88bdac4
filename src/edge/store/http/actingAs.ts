// As which user does a client act? The impersonation headers say; without them, as itself.
import { badRequest, done, type Outcome } from '../values/status.ts'
import { type Person, reachOf, withAll } from './person.ts'

/** Every value of every header, by its name in lower case. */
type Headers = NodeJS.Dict<readonly string[]>
const [named, extra] = ['impersonate-', 'impersonate-extra-']

/** The same person without impersonation headers; the caller checks whether it is allowed. */
export function actingAs(person: Person, headers: Headers): Outcome<Person> {
  const names = Object.keys(headers).filter((name) => name.startsWith(named))
  if (names.length === 0) return done(person)
  const [user = ''] = headers[`${named}user`] ?? []
  if (user === '') {
    const asked = names.map((name) => name.slice(named.length)).join(', ')
    return badRequest(`requested ${asked} without impersonating a user name`)
  }
  const groups = headers[`${named}group`] ?? groupsOfAccount(user)
  const [uid] = headers[`${named}uid`] ?? []
  const more = names
    .filter((name) => name.startsWith(extra))
    .map((name) => [decoded(name.slice(extra.length)), headers[name]])
  return done({
    user,
    groups: withAll(groups),
    reach: reachOf(groups),
    ...(uid === undefined ? {} : { uid }),
    ...(more.length === 0 ? {} : { extra: Object.fromEntries(more) }),
  })
}

/** Keys are percent-encoded, because a header name cannot hold every character. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function groupsOfAccount(user: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user) ?? []
  if (namespace === undefined) return []
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}
