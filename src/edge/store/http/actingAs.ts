// As whom does somebody act? By the headers of impersonation, as itself or as somebody else.
import { badRequest, done, type Outcome } from '../values/status.ts'
import { type Person, reachOf, withAll } from './person.ts'

/** Every value of every header, by its name in lower case. */
type Headers = NodeJS.Dict<readonly string[]>
const [named, extra] = ['impersonate-', 'impersonate-extra-']

/** The same person when nobody else is meant; whether it may act so is for the caller to say. */
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

/** A key may hold what a header's name cannot. */
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
