// Which user sends a request, and what is its scope?

export type Person = {
  readonly user: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
  readonly reach: Reach
  /** It has shown its own certificate: neither a token, nor somebody who acts as it. */
  readonly hasCertificate?: true
}

/** There are no roles: a user may do everything within this scope, or only what is public. */
export type Reach =
  | 'nothing'
  | { readonly namespace: string | undefined; readonly isReadOnly: boolean }

export const masters = 'system:masters'
const everything: Reach = { namespace: undefined, isReadOnly: false }

/** For a user who is known by groups alone. */
export const reachOf = (groups: readonly string[]): Reach =>
  groups.includes(masters) ? everything : 'nothing'

export const isBound = ({ reach }: Pick<Person, 'reach'>): boolean =>
  reach !== 'nothing' && reach.namespace !== undefined

const authenticated = 'system:authenticated'

/** Adds the group of all authenticated users. */
export const withAll = (groups: readonly string[]): readonly string[] => [
  ...groups.filter((group) => group !== authenticated),
  authenticated,
]
